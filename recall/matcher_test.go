package recall_test

import (
	"testing"

	"consilience/command"
	"consilience/reason"
	"consilience/recall/selection"
)

// P-73: a client takes no reply to a query by similar text that was looked for by words,
// although a service of the store signed it.
func TestTheClientChecksTheMatcher(t *testing.T) {
	w := newWorld(t)
	w.policy(embedding)
	w.enroll("alice").say("the valve is shut")
	reader, line := w.reader("carol")
	w.settle()
	if _, err := reader.Recall(t.Context(), space, similar("a closed valve")); err != nil {
		t.Fatal(err)
	}
	line.change = func(body any) any {
		r, ok := body.(command.RecallReply)
		if !ok {
			return body
		}
		p, err := selection.ParsePolicy(r.Policy)
		w.must(err)
		p.Matcher = selection.MatcherWords
		r.Policy = p.Encode()
		return r
	}
	if _, err := reader.Recall(t.Context(), space, similar("a closed valve")); reason.Of(err) != reason.ReplyMismatch {
		t.Errorf("%v", err)
	}
}
