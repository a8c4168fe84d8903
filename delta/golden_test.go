package delta_test

import (
	"encoding/hex"
	"testing"

	"consilience/delta"
	"consilience/record"
	"consilience/wire"
	"consilience/wire/wiretest"
)

// fields shows a proposal to people.
func (p proposal) fields() map[string]any {
	records := []map[string]any{}
	for _, r := range p.records {
		pairs := [][2]string{}
		for _, pair := range r.Pairs {
			pairs = append(pairs, [2]string{pair.Record.String(), wire.Text(pair.Hash)})
		}
		records = append(records, map[string]any{
			"id": r.ID, "kind": r.Kind.String(), "content": hex.EncodeToString(r.Content), "content_hash": wire.Text(r.ContentHash),
			"pairs": pairs, "contributor": r.Contributor, "written_at": r.WrittenAt, "form": r.Form, "erased": r.Erased,
		})
	}
	d := p.delta
	f := map[string]any{
		"store": wire.Text(d.Store), "space": d.Space, "contributor": d.Contributor, "sequence": d.Sequence,
		"created_at": d.CreatedAt, "base": nil, "new": d.New, "modified": d.Modified, "absent": d.Absent, "records": records,
	}
	if d.Base != nil {
		f["base"] = map[string]any{"digest": wire.Text(d.Base.Digest), "revision": d.Base.Revision}
	}
	return f
}

func TestGoldenDeltas(t *testing.T) {
	empty := proposal{delta: delta.Delta{Space: "a", Contributor: key(t, 1).Public().ID(), Sequence: 1}}
	one := newRecord(t, record.Text, "")
	small := empty
	small.delta.New, small.records = []delta.New{{Record: one.ID, Base: 1_000_000}}, []record.Record{one}
	erased := full(t)
	erased.records[0].Erased, erased.records[0].Content = true, nil
	var vectors []wiretest.Vector
	for _, c := range []struct {
		name     string
		proposal proposal
	}{
		{"nothing to say", empty}, {"one empty text", small}, {"an entry of each sort", full(t)},
		{"the same, one content erased", erased},
	} {
		raw := c.proposal.unchecked(t)
		m, err := delta.Open(raw)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		vectors = append(vectors, wiretest.Vector{
			Name: c.name, Seed: hex.EncodeToString(key(t, 1).Seed()), ID: m.ID.String(),
			Fields: c.proposal.fields(), Hex: hex.EncodeToString(raw),
		})
	}
	wiretest.Golden(t, "testdata/deltas.json", vectors)
}
