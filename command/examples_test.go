package command_test

import (
	"bytes"
	"testing"

	"consilience/command"
	"consilience/delta"
	"consilience/identity"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

// key is the private key whose seed is b, 32 times.
func key(tb testing.TB, b byte) identity.PrivateKey {
	tb.Helper()
	k, err := identity.NewPrivateKey(bytes.Repeat([]byte{b}, 32))
	if err != nil {
		tb.Fatal(err)
	}
	return k
}

func public(tb testing.TB, b byte) identity.PublicKey { return key(tb, b).Public() }

// id is a 32-byte value that name stands for.
func id(name string) [32]byte { return wire.Hash([]byte(name)) }

// sorted puts keys in the order of a set.
func sorted(keys ...identity.PublicKey) []identity.PublicKey {
	for i := range keys {
		for j := range i {
			if bytes.Compare(keys[i][:], keys[j][:]) < 0 {
				keys[i], keys[j] = keys[j], keys[i]
			}
		}
	}
	return keys
}

// example is a command and the seeds of the keys that sign it.
type example struct {
	command command.Command
	signers []byte
}

// The seeds: 1 and 2 are operators, 3 is the service, 4 and 5 are contributors, 6
// is derived from them.
func examples(tb testing.TB) []example {
	policy := command.DefaultPolicy()
	policy.Admission, policy.LineageDistance = command.AdmissionOpen, 3
	policy.ManyValued = []string{"alias", "member of"}
	parents := []identity.ID{public(tb, 4).ID(), public(tb, 5).ID()}
	if bytes.Compare(parents[0][:], parents[1][:]) > 0 {
		parents[0], parents[1] = parents[1], parents[0]
	}
	judgement := command.Judgement{Space: "flights", Record: id("record"), Reason: "seen on the board"}
	all := []example{
		{command.Command{Kind: command.KindGenesis, Body: command.Genesis{
			Operators: sorted(public(tb, 1), public(tb, 2)), Services: sorted(public(tb, 3)), Threshold: 2}}, []byte{1}},
		{command.Command{Kind: command.KindOperators, Body: command.Operators{
			Role: command.RoleService, Add: sorted(public(tb, 7), public(tb, 8)), Remove: sorted(public(tb, 3))}}, []byte{1, 2}},
		{command.Command{Kind: command.KindSpace, Body: command.Space{Name: "flights", Policy: command.DefaultPolicy()}}, []byte{1}},
		{command.Command{Kind: command.KindPolicy, Body: command.PolicyChange{Space: "flights", Policy: policy}}, []byte{1}},
		{command.Command{Kind: command.KindEnroll, Body: command.Enroll{
			Key: public(tb, 4), Name: "Tower Zürich", Spaces: []string{"flights", "gates"}, Vouched: true, Origin: "towers", Reputation: 500_000}}, []byte{1}},
		{command.Command{Kind: command.KindDerive, Body: command.Derive{
			Child: public(tb, 6), Name: "night shift", Parents: parents}}, []byte{4, 5, 6}},
		{command.Command{Kind: command.KindRotate, Body: command.Rotate{
			Contributor: public(tb, 4).ID(), Key: public(tb, 9)}}, []byte{1}},
		{command.Command{Kind: command.KindRetire, Body: command.Retire{
			Contributor: public(tb, 4).ID(), Reason: "left"}}, []byte{1}},
		{command.Command{Kind: command.KindQuarantine, Body: command.Quarantine{
			Contributor: public(tb, 4).ID(), Since: 1 << 40, All: true, Reason: "compromised"}}, []byte{1}},
		{command.Command{Kind: command.KindRelease, Body: command.Release{
			Contributor: public(tb, 4).ID(), Reason: ""}}, []byte{1}},
		{command.Command{Kind: command.KindConfirm, Body: judgement}, []byte{1}},
		{command.Command{Kind: command.KindContradict, Body: judgement}, []byte{2}},
		{command.Command{Kind: command.KindSplit, Body: judgement}, []byte{1}},
		{command.Command{Kind: command.KindErase, Body: judgement}, []byte{1}},
		{command.Command{Kind: command.KindRival, Body: command.Rival{
			Space: "flights", Item: id("item"), Other: id("other item"), Reason: "one gate at a time"}}, []byte{1}},
	}
	for i := range all {
		if all[i].command.Kind != command.KindGenesis {
			all[i].command.Store = id("store")
		}
		all[i].command.Nonce = [16]byte{0: byte(i), 15: 0xff}
	}
	return all
}

func (e example) seal(tb testing.TB) []byte {
	tb.Helper()
	var keys []identity.PrivateKey
	for _, seed := range e.signers {
		keys = append(keys, key(tb, seed))
	}
	return command.Seal(e.command, keys...)
}

// exchange is a request and its reply.
type exchange struct {
	request command.Request
	reply   command.Reply
}

func exchanges(tb testing.TB) []exchange {
	all := examples(tb)
	genesis, operators, derive := all[0].seal(tb), all[1].seal(tb), all[5].seal(tb)
	r, err := record.New(record.Text, []byte("the gate is B7"), nil, public(tb, 4).ID(), 1_796_000_000_000)
	if err != nil {
		tb.Fatal(err)
	}
	d := delta.Delta{Space: "flights", Contributor: public(tb, 4).ID(), Sequence: 1, New: []delta.New{{Record: r.ID, Base: 900_000}}}
	raw, deltaID, err := delta.Seal(d, []record.Record{r}, key(tb, 4))
	if err != nil {
		tb.Fatal(err)
	}
	m, err := delta.Open(raw)
	if err != nil {
		tb.Fatal(err)
	}
	slice := delta.Slice{Store: id("store"), Space: "flights", Contributor: public(tb, 4).ID(), Revision: 41,
		Entries: []delta.SliceEntry{{Item: record.ItemID(r.ID), Head: r.ID, ContentHash: r.ContentHash, Confidence: 270_000}}}
	bodies := []struct {
		verb           command.Verb
		request, reply any
	}{
		{command.VerbSlice, command.SliceRequest{}, command.SliceReply{Issued: delta.SealSlice(slice.Issued(), key(tb, 3)), Entries: 1}},
		{command.VerbPage, command.PageRequest{Digest: slice.Digest(), Page: 0}, command.PageReply{Entries: slice.Entries}},
		{command.VerbRecord, command.RecordRequest{Records: []record.ID{r.ID}}, command.RecordReply{
			Records:   []command.CarriedRecord{{Record: r.Wire(), Envelope: 0}},
			Envelopes: [][]byte{m.Envelope.Raw},
			Authors:   []command.Author{{Contributor: r.Contributor, Keys: []identity.PublicKey{public(tb, 4), public(tb, 9)}}},
			Missing:   []record.ID{id("unknown record")},
		}},
		{command.VerbRecall, command.RecallRequest{Request: []byte(`{"query":"gate"}`)}, command.RecallReply{
			Record: []byte("{}"), Projection: []byte("the gate is B7\n"), Policy: []byte("{}"), Snapshot: []byte{0xa0}, Objects: [][]byte{r.Forward}, Evidence: []byte{0xa0}}},
		{command.VerbOutcome, command.OutcomeRequest{Deltas: []delta.ID{deltaID}}, command.OutcomeReply{Outcomes: [][]byte{outcome(tb).Encode()}}},
		{command.VerbDerive, command.DeriveRequest{Command: derive}, command.DeriveReply{Command: command.ID(id("command"))}},
		{command.VerbHealth, command.HealthRequest{}, command.HealthReply{
			Revision: 41, Last: 43, Version: "1.0.0", Genesis: genesis, Operators: [][]byte{operators}}},
	}
	var exchanges []exchange
	for i, b := range bodies {
		q := command.Request{
			Verb: b.verb, Store: id("store"), Space: "flights", Contributor: public(tb, 4).ID(),
			Nonce: [16]byte{0: byte(i), 15: 0xee}, Time: 1_796_000_000_000, Body: b.request,
		}
		if b.verb == command.VerbDerive || b.verb == command.VerbHealth {
			q.Space = ""
		}
		exchanges = append(exchanges, exchange{q, q.Answer(b.reply)})
	}
	refused := exchanges[1].request
	return append(exchanges, exchange{refused, refused.Refuse(reason.New(reason.SliceUnknown, "no such slice was issued"))})
}

func outcome(tb testing.TB) command.Outcome {
	return command.Outcome{
		DeltaID: delta.ID(id("delta")), Space: "flights", Sequence: 7, Status: command.StatusMerged, Revision: 44,
		Items: []command.OutcomeItem{
			{RecordID: id("record"), ItemID: id("item"), Action: command.ActionJoined, Confidence: 756_621, Counted: true},
			{ItemID: id("other item"), Action: command.ActionDoubted, Confidence: 532_425},
		},
	}
}

func served(tb testing.TB) command.Served {
	return command.Served{
		Store: id("store"), Space: "flights", Contributor: public(tb, 4).ID(), How: command.HowProjection,
		Contents: []record.Content{{Kind: record.Text, Hash: record.Hash{2}}, {Kind: record.Text, Hash: record.Hash{9}}, {Kind: record.Binary, Hash: record.Hash{1}}},
	}
}
