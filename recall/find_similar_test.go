package recall

import (
	"slices"
	"testing"

	"consilience/recall/selection"
)

func TestSteps(t *testing.T) {
	for candidates, want := range map[int][]int{1: {10, 80, 4096}, 28: {64, 512, 4096}, 1024: {2056, 4096}, 4096: {8200}} {
		if got := steps(candidates); !slices.Equal(got, want) {
			t.Errorf("%d candidates: %v, want %v", candidates, got, want)
		}
	}
}

// More items are looked at unless they can change nothing.
func TestSettled(t *testing.T) {
	shown := Candidate{Confidence: 500_000, Status: "active", Score: 700_000}
	confirmed := Candidate{Confidence: 500_000, Status: "confirmed", Score: 650_000}
	with := func(change func(*Candidate)) Candidate {
		c := shown
		change(&c)
		return c
	}
	question := Question{Limit: 2, Lowest: 500_000, Similar: []Similar{{1, 700_000}, {2, 650_000}, {3, 600_000}}}
	for what, c := range map[string]struct {
		found []Candidate
		want  bool
	}{
		"enough":             {[]Candidate{shown, confirmed}, true},
		"too few":            {[]Candidate{shown}, false},
		"one is unlikely":    {[]Candidate{shown, with(func(c *Candidate) { c.Confidence-- })}, false},
		"one is quarantined": {[]Candidate{shown, with(func(c *Candidate) { c.Status = selection.Quarantined })}, false},
		"one is false":       {[]Candidate{shown, with(func(c *Candidate) { c.Status = selection.Contradicted })}, false},
		"the last one ties":  {[]Candidate{shown, with(func(c *Candidate) { c.Score = 600_000 })}, false},
	} {
		if got := question.settled(Recalled{Candidates: c.found}); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
}
