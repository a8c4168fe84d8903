package delta_test

import (
	"encoding/hex"
	"testing"

	"consilience/delta"
	"consilience/record"
	"consilience/wire/wiretest"
)

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
			Fields: map[string]any{"delta": wiretest.Show(c.proposal.delta), "records": wiretest.Show(c.proposal.records)}, Hex: hex.EncodeToString(raw),
		})
	}
	wiretest.Golden(t, "testdata/deltas.json", vectors)
}
