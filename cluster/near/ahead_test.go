package near

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"consilience/cluster/embed/static"
)

// What was searched for ahead, beside a transaction that adds, removes, fails or stays,
// changes no answer.
func TestAheadChangesNoAnswer(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	x, plain := New(threshold, static.Dims), New(threshold, static.Dims)
	both := func(do func(*Index)) { do(x); do(plain) }
	next := func(n int) (all []Text) {
		for i, text := range texts(r, n) {
			all = append(all, textOf(fmt.Sprintf("%s in rack %d", text, i%400)))
		}
		return all
	}
	held := next(early + 200)
	both(func(x *Index) {
		for _, q := range held {
			x.Add(itemOf(q.Text), q.Text, q.Vector)
		}
		x.Mark()
	})
	adopted := 0
	later := next(80)
	for turn := range 8 {
		ask := later
		later = next(80)
		adopted += len(x.ahead)
		var ahead sync.WaitGroup
		ahead.Go(func() { x.Ahead(later) })
		x.Prepare(ask)
		for i, q := range ask {
			if a, b := x.Similar(q.Text, q.Vector), plain.Similar(q.Text, q.Vector); !reflect.DeepEqual(a, b) {
				t.Fatalf("%q, turn %d: %v, not ahead %v", q.Text, turn, a, b)
			}
			both(func(x *Index) { x.Add(itemOf(q.Text), q.Text, q.Vector) })
			if turn%3 == 1 && i%40 == 39 {
				gone := held[r.IntN(len(held))].Text
				both(func(x *Index) { x.Remove(itemOf(gone)) })
			}
		}
		end := (*Index).Mark
		if turn%4 == 3 {
			end = (*Index).Rollback
		}
		both(func(x *Index) { end(x) })
		ahead.Wait()
	}
	if adopted == 0 {
		t.Error("nothing was found ahead")
	}
}

// What was removed, or put back, after the look ahead, or while it was under way, is not
// answered by it.
func TestAheadOfARemoval(t *testing.T) {
	text, q := "the server runs the queue", textOf("a server runs the queue")
	remove := func(x *Index) { x.Remove(itemOf(text)) }
	for name, c := range map[string]struct {
		before, during, after func(*Index)
		found                 bool
	}{
		"nothing":            {found: true},
		"removed meanwhile":  {during: remove},
		"removed after":      {after: remove},
		"put back meanwhile": {before: remove, during: (*Index).Rollback, found: true},
		"put back after":     {before: remove, after: (*Index).Rollback, found: true},
	} {
		x := New(threshold, static.Dims)
		for i := range early + 100 {
			said := textOf(text)
			if i > 0 {
				said.Text = fmt.Sprint("another text, number ", i)
				said.Vector = textOf("nothing like it").Vector
			}
			x.Add(itemOf(said.Text), said.Text, said.Vector)
		}
		x.Mark()
		do := func(f func(*Index)) {
			if f != nil {
				f(x)
			}
		}
		do(c.before)
		v, removals := x.marked()
		found := v.ahead([]Text{q})
		do(c.during)
		x.leave(found, removals)
		do(c.after)
		x.Prepare([]Text{q})
		if got := joined(x.Similar(q.Text, q.Vector)) == itemOf(text); got != c.found {
			t.Errorf("%s: found %v", name, got)
		}
	}
}

// A text that will not be asked about, because it founded an item word for word, is not
// searched for ahead, and no text twice.
func TestAheadOfKnownTexts(t *testing.T) {
	x := New(threshold, static.Dims)
	said := func(i int) Text { return textOf(fmt.Sprintf("the server number %d runs the queue", i)) }
	for i := range early {
		x.Add(itemOf(said(i).Text), said(i).Text, said(i).Vector)
	}
	x.Mark()
	x.Ahead([]Text{said(7), said(early), said(early), said(early - 1)})
	if _, ok := x.ahead[said(early).Text]; !ok || len(x.ahead) != 1 {
		t.Errorf("searched for %d texts, and among them the new one: %v", len(x.ahead), ok)
	}
	v, _ := x.marked()
	if got := v.ahead([]Text{said(early), said(early)}); len(got) != 1 {
		t.Errorf("one text was searched for %d times", len(got))
	}
}

// What breaks a search breaks whoever asked, who guards against it, and not the process.
func TestBrokenSearchIsTheCallers(t *testing.T) {
	x := New(threshold, static.Dims)
	v := x.now()
	v.row = func([16]byte) (row, bool) { panic("broken") }
	var texts []Text
	for i := range 4 * minShare {
		texts = append(texts, textOf(fmt.Sprint("text number ", i)))
	}
	defer func() {
		if p := recover(); p != "broken" {
			t.Errorf("panicked with %v", p)
		}
	}()
	v.searchAtOnce(questions(texts), 0)
	t.Error("nothing broke")
}

func questions(texts []Text) (all []*question) {
	for _, t := range texts {
		all = append(all, &question{text: t.Text, vector: t.Vector})
	}
	return all
}
