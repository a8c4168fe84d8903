package recall_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"consilience/agent"
	"consilience/command"
	"consilience/delta"
	"consilience/projection"
	"consilience/reason"
	"consilience/recall/selection"
)

// line is a contributor's link straight to the service. It notes what is asked, and
// change may alter what is answered.
type line struct {
	agent.Link
	w      *world
	asked  []command.Verb
	change func(any) any
}

func (l *line) Request(ctx context.Context, subject string, data []byte) ([]byte, error) {
	q, _, err := command.OpenRequest(data)
	if err != nil {
		return nil, err
	}
	l.asked = append(l.asked, q.Verb)
	raw := l.w.answers.Answer(ctx, subject, data)
	reply, _, err := command.OpenReply(raw)
	if err != nil || reply.Err() != nil || l.change == nil {
		return raw, err
	}
	return command.SealReply(q.Answer(l.change(reply.Body)), l.w.service), nil
}

// reader is a contributor with a home, and its line.
func (w *world) reader(name string) (*agent.Session, *line) {
	w.t.Helper()
	h, err := agent.Create(filepath.Join(w.t.TempDir(), name), agent.Options{Name: name})
	w.must(err)
	w.t.Cleanup(func() { h.Close() })
	w.must(h.Bind(w.id, ""))
	w.command(command.KindEnroll, command.Enroll{Key: h.Key().Public(), Name: name, Spaces: []string{space}})
	l := &line{w: w}
	s, err := h.Connect(l)
	w.must(err)
	return s, l
}

// withoutEvidence is a reply that had no room for its evidence.
func withoutEvidence(body any) any {
	if r, ok := body.(command.RecallReply); ok {
		r.Evidence = nil
		return r
	}
	return body
}

// P-88: who is given no evidence asks the store for the records that prove who wrote
// what was delivered, and verifies in full all the same. The store cannot get out of
// it by having none.
func TestEvidenceIsAskedFor(t *testing.T) {
	w := newWorld(t)
	alice, bob := w.enroll("alice"), w.enroll("bob")
	reader, line := w.reader("carol")
	alice.say("the valve is shut", "the valve is green")
	bob.say("the valve is shut")
	w.settle()
	line.change = withoutEvidence
	got, err := reader.Recall(t.Context(), space, text("valve"))
	w.must(err)
	if len(got.Delivered) != 2 || got.Delivered[0].Trust != projection.Trusted || got.Delivered[1].Trust != projection.Unverified {
		t.Errorf("%+v", got.Statement)
	}
	if want := []command.Verb{command.VerbHealth, command.VerbRecall, command.VerbRecord}; !slices.Equal(line.asked, want) {
		t.Errorf("asked %v", line.asked)
	}
	line.change = func(body any) any {
		if r, ok := body.(command.RecordReply); ok {
			r.Records, r.Envelopes, r.Authors = nil, nil, nil
			return r
		}
		return withoutEvidence(body)
	}
	if _, err := reader.Recall(t.Context(), space, text("valve")); reason.Of(err) != projection.MaterialMissing {
		t.Errorf("a store that proves nothing: %v", err)
	}
}

// A reply has room for evidence or not: seven deltas of the largest size with a large
// record each do not fit with it, and are delivered and verified nevertheless.
func TestEvidenceThatDoesNotFit(t *testing.T) {
	w := newWorld(t)
	for n := range 7 {
		contents := []string{claim("valve", "log", fmt.Sprint(n, strings.Repeat("x", 72_000)))}
		for i := range delta.DefaultLimits.Entries - 1 {
			contents = append(contents, fmt.Sprint(n, "/", i))
		}
		w.enroll(fmt.Sprint("author ", n)).say(contents...)
	}
	reader, line := w.reader("carol")
	w.settle()
	got, err := reader.Recall(t.Context(), space, selection.Request{
		Query: selection.Query{Claim: &selection.ClaimKey{Subject: "valve", Predicate: "log"}}, MaxBytes: selection.MaxBytes,
	})
	w.must(err)
	if len(got.Delivered) != 7 || !slices.Contains(line.asked, command.VerbRecord) {
		t.Errorf("%d delivered, asked %v", len(got.Delivered), line.asked)
	}
}
