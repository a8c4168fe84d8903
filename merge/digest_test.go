package merge

import (
	"bytes"
	"encoding/hex"
	"slices"
	"testing"

	"consilience/command"
	"consilience/identity"
	"consilience/reason"
	"consilience/record"
)

// The bytes of every kind of line, so that a digest means the same in every build.
func TestLineBytes(t *testing.T) {
	some := func(b byte) (id [32]byte) {
		for i := range id {
			id[i] = b
		}
		return id
	}
	bstr := func(b byte) string { id := some(b); return "5820" + hex.EncodeToString(id[:]) }
	one, two := some(1), some(2)
	for _, c := range []struct {
		line Line
		want string
	}{
		{ItemLine{ID: one, Founded: 7, Kind: record.Structured, Hash: two, Confidence: 500_000, Groups: 2, Verdict: Confirmed, Head: one},
			"82018d" + bstr(1) + "0701" + bstr(2) + "4040" + "1a0007a120" + "0000" + "02" + "0001" + bstr(1)},
		{StatementLine{Item: one, Contributor: two, Sequence: 1, Index: 2, Seq: 300, Side: Doubt, Value: 1, Proven: true},
			"82028e" + bstr(1) + bstr(2) + "0102" + "19012c" + "0101" + "0000" + "f5f4" + "40" + "00" + "40"},
		{HolderLine{Hash: one, Contributor: two, Origin: "O", Credit: true},
			"820388" + "00" + bstr(1) + bstr(2) + "40" + "614f" + "f5f4f4"},
		{ReputationLine{Contributor: identity.ID(one), R0: 300_000, Window: []bool{true}},
			"82048a" + bstr(1) + "1a000493e0" + "00000000" + "81f5" + "0000" + "83000000"},
		{JudgementLine{Hash: one, Verdict: Contradicted, Seq: 9, Record: two}, "820585" + "00" + bstr(1) + "0209" + bstr(2)},
		{ExposureLine{Root: identity.ID(one), Hash: two, Seq: 24}, "820684" + bstr(1) + "00" + bstr(2) + "1818"},
		{SequenceLine{Contributor: identity.ID(one), Sequence: 1}, "820782" + bstr(1) + "01"},
	} {
		if got := hex.EncodeToString(EncodeLine(c.line)); got != c.want {
			t.Errorf("%T is\n%s, want\n%s", c.line, got, c.want)
		}
	}
}

// Q23: a digest is over lines in order, and every change that a reader or a later
// entry can see changes it.
func TestDigest(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	r := w.record("a", record.Structured, claim("x", 1))
	w.by("a").propose(r, 900_000).merged()
	seen := map[[32]byte]string{}
	see := func(after string) {
		d := w.state.Digest(w.now())
		if other, ok := seen[d]; ok {
			t.Errorf("the digest after %s is that after %s", after, other)
		}
		seen[d] = after
	}
	see("a delta")
	w.served("a", w.of("x", 1).Content)
	see("an exposure")
	w.judge(command.KindConfirm, r.ID)
	see("a confirmation")
	w.quarantine("a", 0, false)
	see("a quarantine")

	lines := w.state.Lines(w.now())
	slices.SortFunc(lines, func(a, b Line) int { return bytes.Compare(EncodeLine(a), EncodeLine(b)) })
	var d Digester
	for _, l := range lines {
		if err := d.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	if d.Sum() != w.state.Digest(w.now()) {
		t.Error("streamed lines give another digest")
	}
	if err := d.Add(lines[0]); reason.Of(err) != reason.NotCanonical {
		t.Errorf("a line out of order: %v", err)
	}
}
