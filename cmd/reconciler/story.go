package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"consilience/reason"
)

// step is one line of a story, see examples/fleet.jsonl.
type step struct {
	Do       string   `json:"do"`
	Text     string   `json:"text"`
	More     []string `json:"more"`
	Space    string   `json:"space"`
	Who      string   `json:"who"`
	From     string   `json:"from"`
	Vouched  bool     `json:"vouched"`
	Origin   string   `json:"origin"`
	Claims   []triple `json:"claims"`
	Texts    []string `json:"texts"`
	Old      triple   `json:"old"`
	New      triple   `json:"new"`
	What     triple   `json:"what"`
	Strength float64  `json:"strength"`
	Reason   string   `json:"reason"`
	Title    string   `json:"title"`
	Note     string   `json:"note"`
}

// triple is a claim: subject, predicate, value.
type triple []any

// String is the claim as people read it.
func (t triple) String() string {
	if len(t) != 3 {
		return "?"
	}
	return fmt.Sprintf("%v %v = %v", t[0], t[1], t[2])
}

// content is the claim as a structured record.
func (t triple) content() ([]byte, error) {
	if len(t) != 3 {
		return nil, reason.New(reason.Malformed, "a claim has three parts: subject, predicate, value")
	}
	return json.Marshal(map[string]any{"subject": t[0], "predicate": t[1], "value": t[2]})
}

// readStory reads a story; an error names the line.
func readStory(data []byte) ([]step, error) {
	var steps []step
	for n, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		d.UseNumber()
		var s step
		if err := d.Decode(&s); err != nil {
			return nil, reason.Wrap(reason.Malformed, err, "not a step").On(fmt.Sprintf("line %d", n+1))
		}
		steps = append(steps, s)
	}
	return steps, nil
}
