package recall_test

import (
	"crypto/rand"
	"time"

	"consilience/command"
	"consilience/delta"
	"consilience/identity"
	"consilience/projection"
	"consilience/projection/nhe"
	"consilience/recall/selection"
	"consilience/record"
)

// author is a contributor.
type author struct {
	w        *world
	key      identity.PrivateKey
	id       identity.ID
	sequence uint64
	base     uint32 // confidence of what it says, ppm
}

func (w *world) enroll(name string) *author {
	w.t.Helper()
	key := seeded(name)
	w.command(command.KindEnroll, command.Enroll{Key: key.Public(), Name: name, Spaces: []string{space}, Reputation: 900_000, Vouched: true})
	return &author{w: w, key: key, id: key.Public().ID(), base: 980_000}
}

// say proposes contents: a text, or JSON where it begins with a brace.
func (a *author) say(contents ...string) []record.Record { return a.sayOf(nil, contents...) }

// sayOf is say with records that rest on others.
func (a *author) sayOf(grounds []record.Record, contents ...string) []record.Record {
	a.w.t.Helper()
	var pairs []record.Pair
	for _, r := range grounds {
		pairs = append(pairs, record.Pair{Record: r.ID, Hash: r.ContentHash})
	}
	a.sequence++
	d := delta.Delta{Store: a.w.id, Space: space, Contributor: a.id, Sequence: a.sequence, CreatedAt: 1_790_000_000_000}
	var records []record.Record
	for _, c := range contents {
		kind := record.Text
		if c[0] == '{' {
			kind = record.Structured
		}
		r, err := record.New(kind, []byte(c), pairs, a.id, 1_790_000_000_000)
		a.w.must(err)
		records = append(records, r)
		d.New = append(d.New, delta.New{Record: r.ID, Base: a.base})
	}
	raw, _, err := delta.Seal(d, records, a.key)
	a.w.must(err)
	a.w.publish(command.DeltaSubject(space, a.id), raw)
	return records
}

// doubt states against an item as strongly as can be.
func (a *author) doubt(item record.ItemID) {
	a.w.t.Helper()
	reply := a.request(command.VerbSlice, command.SliceRequest{})
	a.w.must(reply.Err())
	slice, _, err := delta.OpenSlice(reply.Body.(command.SliceReply).Issued)
	a.w.must(err)
	a.sequence++
	d := delta.Delta{
		Store: a.w.id, Space: space, Contributor: a.id, Sequence: a.sequence, CreatedAt: 1_790_000_000_000,
		Base: &delta.Base{Digest: slice.Digest, Revision: slice.Revision}, Absent: []delta.Absent{{Item: item, Strength: 1_000_000}},
	}
	raw, _, err := delta.Seal(d, nil, a.key)
	a.w.must(err)
	a.w.publish(command.DeltaSubject(space, a.id), raw)
}

// recalled is a reply to a recall, verified.
type recalled struct {
	command.RecallReply
	request []byte
	full    projection.FullResult
}

// ask sends a request for a recall without looking at its answer.
func (a *author) ask(request []byte) command.Reply {
	a.w.t.Helper()
	return a.request(command.VerbRecall, command.RecallRequest{Request: request})
}

func (a *author) request(verb command.Verb, body any) command.Reply {
	a.w.t.Helper()
	q := command.Request{Verb: verb, Store: a.w.id, Space: space, Contributor: a.id, Time: uint64(time.Now().UnixMilli()), Body: body}
	rand.Read(q.Nonce[:])
	raw := a.w.answers.Answer(a.w.t.Context(), command.APISubject(q.Verb, a.id), command.SealRequest(q, a.key))
	reply, envelope, err := command.OpenReply(raw)
	a.w.must(err)
	a.w.must(envelope.Verify(identity.PurposeReply, a.w.service.Public()))
	a.w.must(reply.Answers(q))
	return reply
}

// recall asks and verifies all that the record commits to.
func (a *author) recall(r selection.Request) recalled {
	a.w.t.Helper()
	out := recalled{request: r.Encode()}
	reply := a.ask(out.request)
	a.w.must(reply.Err())
	out.RecallReply = reply.Body.(command.RecallReply)
	bundle, err := nhe.DecodeBundle(out.Evidence)
	a.w.must(err)
	source, err := bundle.Source(out.Snapshot, out.Objects)
	a.w.must(err)
	envelope, err := a.w.verifier().Envelope(a.w.t.Context(), out.Record)
	a.w.must(err)
	fragments, err := nhe.Split(envelope.Delivered, out.Projection)
	a.w.must(err)
	out.full, err = a.w.verifier().Full(a.w.t.Context(), out.Record, projection.Material{
		RecallRequest: out.request, SelectionPolicy: out.Policy, TrustSnapshot: out.Snapshot, Objects: out.Objects,
		Fragments: fragments, Projection: out.Projection, Source: source,
	})
	a.w.must(err)
	return out
}
