package recall_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"consilience/command"
	"consilience/internal/wiring"
	"consilience/projection"
	"consilience/reason"
	"consilience/recall"
	"consilience/reconcile"
	"consilience/record"
)

// What was altered in the database is counted as not authentic, and the operator is
// told; an altered forward part too.
func TestAlteredInTheDatabase(t *testing.T) {
	w := newWorld(t)
	alice, bob := w.enroll("alice"), w.enroll("bob")
	alice.say("valve one", "valve two", "valve three", "valve four")
	w.settle()
	bob.recall(text("valve"))
	for _, sql := range []string{
		`UPDATE consilience.record SET content = 'valve ONE' WHERE content = 'valve one'`,
		`UPDATE consilience.record SET forward = set_byte(forward, length(forward) - 17, 1) WHERE content = 'valve two'`,
		`UPDATE consilience.record SET forward = '\x00' WHERE content = 'valve four'`,
	} {
		_, err := w.store.Pool().Exec(t.Context(), sql)
		w.must(err)
	}
	got := bob.recall(text("valve"))
	want := projection.Exclusions{Total: 3, ByReason: [4]int64{projection.AuthenticationFailed: 2, projection.SchemaInvalid: 1}}
	if !slices.Equal(got.bodies(t), []string{"valve three"}) || got.full.Statement.Exclusions != want {
		t.Errorf("%q %+v", got.bodies(t), got.full.Statement.Exclusions)
	}
	if !strings.Contains(w.logs.String(), "records that do not verify") {
		t.Error("nobody was told")
	}
	_, err := w.store.Pool().Exec(t.Context(), `UPDATE consilience.applied_delta SET envelope = set_byte(envelope, length(envelope) - 1, 1)`)
	w.must(err)
	if got := bob.recall(text("valve")); len(got.Objects) != 0 || got.full.Statement.Exclusions.ByReason[projection.AuthenticationFailed] != 3 {
		t.Errorf("under an altered signature: %q %+v", got.bodies(t), got.full.Statement.Exclusions)
	}
}

// The echo rule rests on it: what cannot be stated on the log is shown to nobody.
func TestNothingLeavesUnstated(t *testing.T) {
	w := newWorld(t)
	alice := w.enroll("alice")
	alice.say("the valve is open")
	w.settle()
	stated := 0
	s, err := recall.NewService(recall.Config{
		StoreID: w.id, Key: w.service, Fleet: w.fleet, Store: wiring.RecallStore{Store: w.store},
		Served: func(_ context.Context, _ reconcile.Asked, how string, contents []record.Content) error {
			if how == command.HowProjection {
				stated += len(contents)
			}
			return reason.New(reason.Unreachable, "the log does not answer")
		},
	})
	w.must(err)
	w.answers.Handle(command.VerbRecall, s.Answer)
	reply := alice.ask(text("valve").Encode())
	if reason.Of(reply.Err()) != reason.Unreachable || stated != 1 {
		t.Errorf("%v, %d contents were to be stated", reply.Err(), stated)
	}
	if r, ok := reply.Body.(command.RecallReply); ok && (r.Record != nil || r.Projection != nil || r.Objects != nil || r.Evidence != nil) {
		t.Error("something left")
	}
}

// P-42, P-105: no content, query or key in any log or error.
func TestCanary(t *testing.T) {
	w := newWorld(t)
	alice, bob := w.enroll("alice"), w.enroll("bob")
	const canary = "xyzzycanary"
	alice.say("valve "+canary+"content", claim(canary+"subject", "is", canary+"value"))
	w.settle()
	got := bob.recall(text("valve " + canary + "query"))
	if len(got.Objects) != 1 {
		t.Fatalf("%q", got.bodies(t))
	}
	var errors []string
	for _, request := range []string{
		`{"query":{"text":"` + canary + `"},"max_bytes":99999999}`, `{"query":{"text":"` + canary + `","similar":"` + canary + `"}}`,
		`{"` + canary + `":1}`, canary, `{"query":{"similar":"` + canary + `"}}`,
		`{"query":{"claim":{"predicate":"` + canary + `","subject":"` + canary + `\ud800"}}}`,
	} {
		err := bob.ask([]byte(request)).Err()
		if err == nil {
			t.Errorf("%s is answered", request)
			continue
		}
		errors = append(errors, err.Error())
	}
	w.policy(embedding)
	alice.say("hinge " + canary + "similar")
	w.settle()
	if got := bob.recall(similar("hinge " + canary + "query")); len(got.Objects) != 2 {
		t.Errorf("by similarity: %q", got.bodies(t))
	}
	if err := bob.ask(similar(canary + "\ufdd0").Encode()).Err(); err == nil {
		t.Error("a query that is no text is answered")
	} else {
		errors = append(errors, err.Error())
	}
	_, err := w.store.Pool().Exec(t.Context(), `UPDATE consilience.record SET content = content || ' altered'`)
	w.must(err)
	bob.recall(text("valve"))
	bob.recall(similar("valve"))
	said := w.logs.String() + strings.Join(errors, "\n")
	for _, secret := range []string{canary, string(w.service.Seed()), "NHE-Memory trust", got.full.Statement.Projection.Digest.String()} {
		if strings.Contains(said, secret) {
			t.Errorf("%q was said", secret)
		}
	}
	// P-97, P-103: the record itself names no item, no record and no contributor in clear.
	for _, secret := range []string{canary, alice.id.Token(), bob.id.Token(), "rec:", "item:"} {
		if strings.Contains(string(got.Record), secret) {
			t.Errorf("the record says %q", secret)
		}
	}
}
