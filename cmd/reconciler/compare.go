package main

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"consilience/internal/cli"
	"consilience/storage/postgres"
)

// unchangedShown is how many items that stayed as they were the comparison shows.
const unchangedShown = 6

// before keeps what the store holds, for after to compare with.
func (p *play) before(ctx context.Context, _ step) (err error) {
	p.summary.Before, err = p.items(ctx)
	return err
}

// after shows what the store holds now beside what it held.
func (p *play) after(ctx context.Context, s step) (err error) {
	if p.summary.After, err = p.items(ctx); err != nil {
		return err
	}
	heading(p.out, s.Title)
	compare(p.out, p.summary.Before, p.summary.After)
	return nil
}

func (p *play) items(ctx context.Context) ([]shown, error) {
	items, err := p.stack.store.Overview(ctx, p.space, 100)
	rows := make([]shown, 0, len(items))
	for _, it := range items {
		rows = append(rows, shownOf(it))
	}
	return rows, err
}

// shown is an item as the demo shows it.
type shown struct {
	Content       string `json:"content"`
	Confidence    string `json:"confidence"`
	Belief        string `json:"belief"`
	Authoritative bool   `json:"authoritative"`
	Status        string `json:"status"`
}

func shownOf(it postgres.OverviewItem) shown {
	return shown{it.Content, it.Confidence, it.Belief, it.Authoritative, it.Status}
}

// compare prints two states of a store side by side: all that changed, and the
// strongest of what did not.
func compare(w io.Writer, before, after []shown) {
	was := map[string]shown{}
	for _, s := range before {
		was[s.Content] = s
	}
	rows, same := [][]string{}, 0
	for _, now := range after {
		old := was[now.Content]
		what := changed(old, now)
		if what == "" {
			if same++; same > unchangedShown {
				continue
			}
		}
		rows = append(rows, []string{
			"  " + cli.Clip(cli.Readable(now.Content), 56), moved(old.Confidence, now.Confidence), moved(old.Belief, now.Belief), what,
		})
	}
	cli.Table(w, []string{"  WHAT", "CONFIDENCE", "BELIEF", "WHY"}, rows)
	if same > unchangedShown {
		fmt.Fprintf(w, "  and %d more that did not change\n", same-unchangedShown)
	}
}

// changed says what happened to an item, "" if nothing did.
func changed(old, now shown) string {
	switch {
	case now.Status != old.Status:
		return now.Status
	case now.Confidence < old.Confidence:
		return "loses a voice, stands on the others"
	case now.Belief > old.Belief:
		return "its rival fell"
	case now != old:
		return "changed"
	}
	return ""
}

// moved shows a number before and after, once if it stayed.
func moved(before, after string) string {
	if before == after {
		return hundredths(after)
	}
	return hundredths(before) + " → " + hundredths(after)
}

// hundredths shows a number of a view, "0.756621", to two digits.
func hundredths(s string) string {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// short is e with numbers of two digits, for a person's first look.
func (e explained) short() explained {
	for _, s := range []*string{&e.Confidence, &e.Support, &e.Doubt, &e.Belief} {
		*s = hundredths(*s)
	}
	stances := make([]explainedStance, len(e.Stances))
	for i, s := range e.Stances {
		s.Base, s.Reputation, s.Effective = hundredths(s.Base), hundredths(s.Reputation), hundredths(s.Effective)
		stances[i] = s
	}
	e.Stances = stances
	for i := range e.Rivals {
		e.Rivals[i].Confidence = hundredths(e.Rivals[i].Confidence)
	}
	return e
}
