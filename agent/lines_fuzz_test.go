package agent

import (
	"bytes"
	"encoding/json"
	"testing"

	"consilience/reason"
	"consilience/record"
)

// FuzzLine: a line of JSON Lines that somebody else wrote is refused with a reason,
// or it is a draft; and a record made of the draft is exported as a line that gives
// the same content again.
func FuzzLine(f *testing.F) {
	for _, seed := range []string{
		`{"kind":"text","content":"The bridge is closed.","refs":[],"confidence":0.9}`,
		`{"id":"rec:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","kind":"structured","content":{"subject":"a","predicate":"b","value":1},"refs":["rec:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],"confidence":1}`,
		`{"kind":"binary","content":"AP8","refs":null,"confidence":0.000001}`,
		`{"kind":"text","content":null}`, `{"kind":"text","content":"\ud800"}`, `{"kind":"text","kind":"text","content":""}`, `{}`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := parseLine(text)
		if err != nil {
			if reason.Of(err) == "" {
				t.Errorf("refused without a reason: %v", err)
			}
			return
		}
		d, err := l.draft(nil)
		if err != nil {
			if reason.Of(err) == "" {
				t.Errorf("refused without a reason: %v", err)
			}
			return
		}
		canonical, err := record.Canonical(d.Kind, d.Content)
		if err != nil {
			return
		}
		written, err := json.Marshal(lineOf(record.Record{Kind: d.Kind, Content: canonical}, d.Base))
		if err != nil {
			t.Fatalf("%q cannot be exported: %v", text, err)
		}
		again, err := parseLine(written)
		if err != nil {
			t.Fatalf("%q was exported as %q: %v", text, written, err)
		}
		e, err := again.draft(nil)
		if d.Base == 0 {
			return // it takes the confidence of its space, and is not exported before
		}
		content, same := []byte(nil), err == nil
		if same {
			content, err = record.Canonical(e.Kind, e.Content)
			same = err == nil && bytes.Equal(content, canonical) && e.Base == d.Base
		}
		if !same {
			t.Errorf("%q was exported as %q, which is %q: %v", text, written, content, err)
		}
	})
}
