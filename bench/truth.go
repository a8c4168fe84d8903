package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"consilience/command"
	"consilience/record"
	"consilience/wire"
)

// set is a table of claims by sources of the world, with the truth on some objects.
type set struct {
	folder, space string
	// near is how far two numeric values may lie apart to count as one; 0: equality only.
	near int
}

var sets = []set{{"flight-1208", "flights", 10}, {"books", "books", 0}, {"crowd-sp", "crowd", 0}}

// truth imports each set as its sources' deltas through the whole system and
// compares the top belief with the gold, beside plain majority vote; then again
// after an operator confirmed every twentieth gold object.
func (w *world) truth(ctx context.Context, claims string) error {
	contributor := filepath.Join(w.dir, "contributor")
	build := exec.CommandContext(ctx, "go", "build", "-o", contributor, "consilience/cmd/contributor")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return err
	}
	for _, s := range sets {
		if err := w.measure(ctx, contributor, claims, s); err != nil {
			return fmt.Errorf("%s: %w", s.folder, err)
		}
	}
	return nil
}

func (w *world) measure(ctx context.Context, contributor, claims string, s set) error {
	folder := filepath.Join(claims, s.folder)
	file := filepath.Join(folder, "claims.tsv")
	gold, err := readGold(filepath.Join(folder, "gold.tsv"))
	if err != nil {
		return err
	}
	votes, err := majority(file)
	if err != nil {
		return err
	}
	judged, rest := part(gold)
	report(s, "majority vote", gold, votes)
	report(s, "majority vote, on the 95 %", rest, votes)
	for _, run := range []string{"import", "second import"} {
		if err := w.importClaims(ctx, contributor, file, s.space, s.folder+" "+run); err != nil {
			return err
		}
	}
	said, _, err := w.beliefs(ctx, s.space)
	if err != nil {
		return err
	}
	report(s, "top belief", gold, said)
	report(s, "top belief, on the 95 %", rest, said)
	// Another fleet: names are unique in a store, and so are the sources'.
	other, err := newWorld(ctx)
	if err != nil {
		return err
	}
	defer other.close()
	return other.judgedFirst(ctx, contributor, file, s, judged, rest)
}

// judgedFirst imports the claims about the judged objects alone, lets the operator
// confirm the truth of them and then imports all: what was confirmed moves the
// reputation of those who said it, and a later reputation never lifts an earlier
// statement.
func (w *world) judgedFirst(ctx context.Context, contributor, file string, s set, judged, rest map[string]string) error {
	space := s.space
	first := filepath.Join(w.dir, "judged.tsv")
	out, err := os.Create(first)
	if err != nil {
		return err
	}
	err = eachLine(file, func(f []string) {
		if _, ok := judged[f[0]]; ok {
			fmt.Fprintln(out, strings.Join(f, "\t"))
		}
	})
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	if err := w.importClaims(ctx, contributor, first, space, s.folder+" import of the 5 %"); err != nil {
		return err
	}
	_, records, err := w.beliefs(ctx, space)
	if err != nil {
		return err
	}
	if err := w.confirm(ctx, space, judged, records); err != nil {
		return err
	}
	if err := w.importClaims(ctx, contributor, file, space, s.folder+" import of the rest"); err != nil {
		return err
	}
	said, _, err := w.beliefs(ctx, space)
	if err != nil {
		return err
	}
	report(s, "top belief, 5 % of the gold confirmed, on the other 95 %", rest, said)
	return nil
}

// part takes every twentieth gold object aside, to be judged.
func part(gold map[string]string) (judged, rest map[string]string) {
	judged, rest = map[string]string{}, map[string]string{}
	for i, object := range slices.Sorted(maps.Keys(gold)) {
		if i%20 == 0 {
			judged[object] = gold[object]
		} else {
			rest[object] = gold[object]
		}
	}
	return judged, rest
}

// importClaims imports a table by the contributor's own command into a space, which
// it makes if there is none.
func (w *world) importClaims(ctx context.Context, contributor, file, space, what string) error {
	home := filepath.Join(w.dir, "home-"+space)
	if _, err := os.Stat(home); err != nil {
		if out, err := exec.CommandContext(ctx, contributor, "init", "--home", home).CombinedOutput(); err != nil {
			return fmt.Errorf("init: %w: %s", err, out)
		}
		policy := command.DefaultPolicy()
		if _, err := w.operatorFact(ctx, command.KindSpace, command.Space{Name: space, Policy: policy}); err != nil {
			return err
		}
	}
	began := time.Now()
	out, err := exec.CommandContext(ctx, contributor, "import", "csv", file, "--sources", "--space", space,
		"--columns", "object,source,value", "--predicate", "value", "--home", home, "--wait", "10m",
		"--nats", w.nats.URL(), "--store", wire.Text(w.store), "--operator-key", filepath.Join(w.dir, "operator.key"), "--json").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", what, err, out)
	}
	fmt.Printf("%s in %v: %s\n", what, time.Since(began).Round(100*time.Millisecond), compact(out))
	return nil
}

// beliefs are the value believed most of each object, the first founded of equals,
// and the record that brought each value of it.
func (w *world) beliefs(ctx context.Context, space string) (best map[string]string, records map[[2]string]record.ID, err error) {
	rows, err := w.pool.Query(ctx, "SELECT item_id, content FROM memory.items WHERE space = $1 ORDER BY belief DESC, created_at, item_id", space)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	best, records = map[string]string{}, map[[2]string]record.ID{}
	for rows.Next() {
		var id, content string
		if err := rows.Scan(&id, &content); err != nil {
			return nil, nil, err
		}
		var c struct{ Subject, Value string }
		if err := json.Unmarshal([]byte(content), &c); err != nil {
			return nil, nil, err
		}
		item, err := record.ParseItemID(id)
		if err != nil {
			return nil, nil, err
		}
		records[[2]string{c.Subject, c.Value}] = record.ID(item)
		if _, ok := best[c.Subject]; !ok {
			best[c.Subject] = c.Value
		}
	}
	return best, records, rows.Err()
}

// confirm lets the operator confirm the truth of the judged objects, where anybody said it.
func (w *world) confirm(ctx context.Context, space string, judged map[string]string, records map[[2]string]record.ID) error {
	var last uint64
	confirmed := 0
	for object, truth := range judged {
		id, said := records[[2]string{object, truth}]
		if !said {
			continue
		}
		seq, err := w.operatorFact(ctx, command.KindConfirm, command.Judgement{Space: space, Record: id, Reason: "gold"})
		if err != nil {
			return err
		}
		last = seq
		confirmed++
	}
	fmt.Printf("%s: an operator confirms %d contents\n", space, confirmed)
	return w.reached(ctx, last, space)
}

// majority is the value that most sources state of each object, the first stated of equals.
func majority(file string) (map[string]string, error) {
	type count struct {
		value string
		n     int
	}
	counts := map[string][]count{}
	err := eachLine(file, func(f []string) {
		object, value := f[0], f[2]
		for i, c := range counts[object] {
			if c.value == value {
				counts[object][i].n++
				return
			}
		}
		counts[object] = append(counts[object], count{value, 1})
	})
	best := map[string]string{}
	for object, all := range counts {
		top := all[0]
		for _, c := range all {
			if c.n > top.n {
				top = c
			}
		}
		best[object] = top.value
	}
	return best, err
}

func readGold(file string) (map[string]string, error) {
	gold := map[string]string{}
	err := eachLine(file, func(f []string) { gold[f[0]] = f[1] })
	return gold, err
}

func eachLine(file string, each func(fields []string)) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		each(strings.Split(s.Text(), "\t"))
	}
	return s.Err()
}

func report(s set, what string, gold, said map[string]string) {
	exact, close := 0, 0
	for object, truth := range gold {
		if said[object] == truth {
			exact++
		}
		if within(said[object], truth, s.near) {
			close++
		}
	}
	line := fmt.Sprintf("%s: %s: %.3f of %d by exact equality", s.folder, what, float64(exact)/float64(len(gold)), len(gold))
	if s.near > 0 {
		line += fmt.Sprintf(", %.3f counting values within %d as one", float64(close)/float64(len(gold)), s.near)
	}
	fmt.Println(line)
}

func within(a, b string, near int) bool {
	if a == b {
		return true
	}
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	return errX == nil && errY == nil && max(x-y, y-x) <= near
}

// compact puts a JSON document on one line.
func compact(b []byte) string {
	var v any
	if json.Unmarshal(b, &v) != nil {
		return string(b)
	}
	out, _ := json.Marshal(v)
	return string(out)
}
