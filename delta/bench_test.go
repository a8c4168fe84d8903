package delta_test

import (
	"fmt"
	"testing"

	"consilience/delta"
	"consilience/identity"
	"consilience/record"
)

// BenchmarkOpen opens a delta of 50 claims, signature apart.
func BenchmarkOpen(b *testing.B) {
	raw := claims(b, 50)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := delta.Open(raw); err != nil {
			b.Fatal(err)
		}
	}
}

// claims is a sealed delta of n claims.
func claims(tb testing.TB, n int) []byte {
	tb.Helper()
	key, err := identity.NewPrivateKey(make([]byte, 32))
	if err != nil {
		tb.Fatal(err)
	}
	d := delta.Delta{Space: "flights", Contributor: key.Public().ID(), Sequence: 1, CreatedAt: 1_796_000_000_000}
	var records []record.Record
	for i := range n {
		content := fmt.Sprintf(`{"predicate":"scheduled departure","scope":"2026-11-30","subject":"flight %d","value":"07:%02d"}`, i, i%60)
		r, err := record.New(record.Structured, []byte(content), nil, key.Public().ID(), 1_796_000_000_000)
		if err != nil {
			tb.Fatal(err)
		}
		records = append(records, r)
		d.New = append(d.New, delta.New{Record: r.ID, Base: 900_000})
	}
	raw, _, err := delta.Seal(d, records, key)
	if err != nil {
		tb.Fatal(err)
	}
	return raw
}
