package projection_test

import (
	"bytes"
	"testing"

	"github.com/gowebpki/jcs"

	"consilience/projection"
	"consilience/reason"
)

// FuzzRecord: what is accepted has one canonical form, which an independent
// canonicaliser agrees with, and reads back the same.
func FuzzRecord(f *testing.F) {
	f.Add([]byte(genuine(f).record))
	f.Add([]byte(`{"@version":"MEMORY-PROJECTION-RECORD-v1"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := projection.Parse(data)
		if err != nil {
			if reason.Of(err) == "" {
				t.Fatalf("no code: %v", err)
			}
			return
		}
		want, err := jcs.Transform(data)
		if err != nil || !bytes.Equal(want, r.Canonical()) {
			t.Fatalf("%v: %s, want %s", err, r.Canonical(), want)
		}
		if again, err := projection.Parse(r.Canonical()); err != nil || !bytes.Equal(again.SignedBytes(), r.SignedBytes()) {
			t.Fatal("reading the canonical form changed the record")
		}
	})
}

// FuzzPolicy: a policy that is read can run.
func FuzzPolicy(f *testing.F) {
	f.Add([]byte(policyFile))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := projection.ParsePolicy(data)
		if err != nil {
			if reason.Of(err) == "" {
				t.Fatalf("no code: %v", err)
			}
			return
		}
		if err := p.Check(); err != nil || p.Freshness.MaxTrustAge <= 0 {
			t.Fatalf("read, and cannot run: %v", err)
		}
	})
}

// FuzzSelectionPolicy: what compiles is what its bytes say.
func FuzzSelectionPolicy(f *testing.F) {
	f.Add(projection.DefaultSelectionPolicy().Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		rules, err := projection.CompileSelectionPolicy(data)
		if err != nil {
			return
		}
		want, err := jcs.Transform(data)
		if err != nil || !bytes.Equal(rules.(projection.SelectionPolicy).Bytes(), want) {
			t.Fatalf("%v: %s, want %s", err, rules.(projection.SelectionPolicy).Bytes(), want)
		}
	})
}
