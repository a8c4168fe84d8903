package recall_test

import (
	"bytes"
	"testing"

	"consilience/command"
	"consilience/projection"
	"consilience/projection/nhe"
	"consilience/reason"
	"consilience/recall/selection"
)

// P-23, P-70, P-86, P-88, P-100: a service that answers with anything else than what it
// signed, or signed for somebody else's question, is not believed, and nothing is shown.
func TestHostileReplies(t *testing.T) {
	w := newWorld(t)
	alice, bob := w.enroll("alice"), w.enroll("bob")
	reader, line := w.reader("carol")
	alice.say("the valve is shut", "the valve is green")
	bob.say("the valve is shut")
	w.settle()
	earlier, err := reader.Recall(t.Context(), space, text("the valve"))
	w.must(err)
	repolicied := func(r *command.RecallReply, change func(*selection.Policy)) {
		p, err := selection.ParsePolicy(r.Policy)
		w.must(err)
		change(&p)
		r.Policy = p.Encode()
	}
	resnapped := func(r *command.RecallReply, change func(*nhe.State)) {
		state, accepted, err := nhe.ParseSnapshot(r.Snapshot)
		w.must(err)
		change(&state)
		r.Snapshot = nhe.Snapshot(state, accepted)
	}
	for what, c := range map[string]struct {
		change func(r *command.RecallReply)
		want   reason.Code
	}{
		"as it was":         {func(*command.RecallReply) {}, ""},
		"an earlier record": {func(r *command.RecallReply) { r.Record = earlier.Record }, projection.RecallRequestDigestMismatch},
		"an altered record": {func(r *command.RecallReply) {
			r.Record = bytes.Replace(r.Record, []byte(`"total":0`), []byte(`"total":1`), 1)
		}, projection.ExclusionCountMismatch},
		"another digest": {func(r *command.RecallReply) { flipDigest(r.Record) }, projection.SignatureInvalid},
		"an altered body": {func(r *command.RecallReply) {
			r.Projection = bytes.Replace(r.Projection, []byte("shut"), []byte("open"), 1)
		}, projection.FragmentLabelMismatch},
		"a frame less":       {func(r *command.RecallReply) { r.Projection = r.Projection[:len(r.Projection)-1] }, projection.FragmentLabelMismatch},
		"an altered object":  {func(r *command.RecallReply) { r.Objects[0] = append(r.Objects[0], 0) }, projection.SourceObjectDigestMismatch},
		"objects swapped":    {func(r *command.RecallReply) { r.Objects[0], r.Objects[1] = r.Objects[1], r.Objects[0] }, projection.SourceObjectDigestMismatch},
		"an object less":     {func(r *command.RecallReply) { r.Objects = r.Objects[:1] }, projection.MaterialMissing},
		"more than asked":    {func(r *command.RecallReply) { repolicied(r, func(p *selection.Policy) { p.MaxObjects++ }) }, reason.ReplyMismatch},
		"another confidence": {func(r *command.RecallReply) { repolicied(r, func(p *selection.Policy) { p.MinConfidence++ }) }, projection.SelectionPolicyMismatch},
		"another revision":   {func(r *command.RecallReply) { resnapped(r, func(s *nhe.State) { s.Revision++ }) }, projection.TrustSnapshotDigestMismatch},
		"another space":      {func(r *command.RecallReply) { resnapped(r, func(s *nhe.State) { s.Space = "other" }) }, reason.StoreMismatch},
		"another store":      {func(r *command.RecallReply) { resnapped(r, func(s *nhe.State) { s.Store[0]++ }) }, reason.StoreMismatch},
		"authority for all": {func(r *command.RecallReply) {
			b, err := nhe.DecodeBundle(r.Evidence)
			w.must(err)
			for i := range b.Delivered {
				b.Delivered[i].Authoritative = true
			}
			r.Evidence = b.Encode()
		}, projection.NativeResultMismatch},
		"a key that no service has": {func(r *command.RecallReply) {
			service := []byte(w.service.Public().KeyID().String())
			r.Record = bytes.ReplaceAll(r.Record, service, []byte(alice.key.Public().KeyID().String()))
		}, projection.AdapterKeyNotPinned},
	} {
		line.change = func(body any) any {
			if r, ok := body.(command.RecallReply); ok {
				c.change(&r)
				return r
			}
			return body
		}
		got, err := reader.Recall(t.Context(), space, text("valve"))
		if reason.Of(err) != c.want || (len(got.Bytes()) == 0) != (c.want != "") {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}

// flipDigest changes the digest of the projection that a record states.
func flipDigest(record []byte) {
	at := bytes.Index(record, []byte(`"projection":{`))
	digit := &record[at+bytes.Index(record[at:], []byte("sha256:"))+len("sha256:")]
	if *digit == '0' {
		*digit = '1'
	} else {
		*digit = '0'
	}
}
