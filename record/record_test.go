package record

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"consilience/identity"
	"consilience/reason"
	"consilience/wire"
)

// N-7, N-14, N-21: the content hash is the hash of the canonical bytes.
func TestContentHash(t *testing.T) {
	for kind, want := range map[Kind]string{Text: "\u00e5", Structured: `{"a":"a\u030a","b":1}`, Binary: "\x00\xff"} {
		spelled := map[Kind]string{Text: "a\u030a", Structured: "{ \"b\":1.0, \"a\":\"a\u030a\" }", Binary: "\x00\xff"}[kind]
		want = strings.ReplaceAll(want, `\u030a`, "\u030a")
		r := mustNew(t, kind, spelled)
		if string(r.Content) != want || r.ContentHash != sha256.Sum256([]byte(want)) {
			t.Errorf("%s: content %q, hash %s", kind, r.Content, r.ContentHash)
		}
		if r.Form != kind.Form() || r.CheckContent() != nil {
			t.Errorf("%s: form %s, %v", kind, r.Form, r.CheckContent())
		}
	}
}

// N-8, N-12, N-15, N-19, N-69, AN-5: every forward field is in the record id, so
// that none can be changed, and pairs can be neither added, removed nor reordered.
func TestIDCoversTheForwardPart(t *testing.T) {
	a, b := mustNew(t, Text, "a"), mustNew(t, Text, "b")
	original := mustNew(t, Text, "1", pairTo(a), pairTo(b))
	changes := map[string]func(*Record){
		"kind":         func(r *Record) { r.Kind = Structured },
		"content hash": func(r *Record) { r.ContentHash[31]++ },
		"pair removed": func(r *Record) { r.Pairs = r.Pairs[:1] },
		"pair added":   func(r *Record) { r.Pairs = append(r.Pairs, r.Pairs[0]) },
		"pairs turned": func(r *Record) { r.Pairs = []Pair{r.Pairs[1], r.Pairs[0]} },
		"pair's id":    func(r *Record) { r.Pairs = []Pair{{b.ID, a.ContentHash}, r.Pairs[1]} },
		"pair's hash":  func(r *Record) { r.Pairs = []Pair{{a.ID, b.ContentHash}, r.Pairs[1]} },
		"contributor":  func(r *Record) { r.Contributor[0]++ },
		"time":         func(r *Record) { r.WrittenAt++ },
		"form":         func(r *Record) { r.Form = "text-nfc-16.0" },
	}
	seen := map[ID]string{original.ID: "the original"}
	for name, change := range changes {
		r := original
		change(&r)
		changed, err := DecodeForward(r.encodeForward())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if other, ok := seen[changed.ID]; ok {
			t.Errorf("%s has the id of %s", name, other)
		}
		seen[changed.ID] = name
	}
	if again := mustNew(t, Text, "1", pairTo(a), pairTo(b)); !same(again, original) {
		t.Error("the same record written twice is not the same") // N-12: an identical rewrite is no change
	}
}

// N-13, AN-2, Q16: a hash does not bind the kind, the record id and a Content do.
func TestKindsAreTold(t *testing.T) {
	text, structured, binary := mustNew(t, Text, "1"), mustNew(t, Structured, "1"), mustNew(t, Binary, "1")
	if text.ContentHash != structured.ContentHash || text.ContentHash != binary.ContentHash {
		t.Error("the hash depends on the kind")
	}
	if text.Is() == structured.Is() || text.ID == structured.ID || structured.ID == binary.ID {
		t.Error("kinds are not told apart")
	}
	if _, err := New(3, nil, nil, writer, 0); reason.Of(err) != reason.OutOfRange {
		t.Errorf("unknown kind: %v", err)
	}
}

// N-14: a stored hash that does not match is refused when a record is admitted.
func TestCheckContentRefuses(t *testing.T) {
	good := mustNew(t, Text, "The bridge is closed.")
	for name, c := range map[string]struct {
		change func(*Record)
		want   reason.Code
	}{
		"other content":       {func(r *Record) { r.Content = []byte("The bridge is open.") }, reason.ContentHashMismatch},
		"other hash":          {func(r *Record) { r.ContentHash[0]++ }, reason.ContentHashMismatch},
		"not canonical":       {func(r *Record) { r.Content = []byte("a\u030a") }, reason.NotCanonical},
		"not text":            {func(r *Record) { r.Content = []byte("\xff") }, reason.ContentInvalid},
		"another version":     {func(r *Record) { r.Form = "text-nfc-17.0" }, reason.FormUnsupported}, // N-22
		"form of other kind":  {func(r *Record) { r.Form = FormJSON }, reason.FormUnsupported},
		"kind and not form":   {func(r *Record) { r.Kind = Binary }, reason.FormUnsupported},
		"erased":              {func(r *Record) { r.Content, r.Erased = nil, true }, reason.ErasedContent},
		"as structured, text": {func(r *Record) { r.Kind, r.Form = Structured, FormJSON }, reason.ContentInvalid},
	} {
		r := good
		c.change(&r)
		if err := r.CheckContent(); reason.Of(err) != c.want {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

// N-25: octets as they are.
func TestBinaryIsVerbatim(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for _, octets := range [][]byte{all, {}, nil} {
		r, err := New(Binary, octets, nil, writer, 0)
		if err != nil || !bytes.Equal(r.Content, octets) || r.Content == nil || r.CheckContent() != nil {
			t.Errorf("%d octets: %q, %v", len(octets), r.Content, err)
		}
	}
}

// N-24, N-26: the order in which members are written does not matter.
func TestMemberOrderDoesNotMatter(t *testing.T) {
	members := []string{`"a":1`, `"b":[1.5]`, `"é":null`, `"\ud83d\ude02":{"y":1,"x":2}`, `"":"\u00e9"`}
	want := mustNew(t, Structured, "{"+strings.Join(members, ",")+"}")
	for range 50 {
		rand.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		if got := mustNew(t, Structured, "{ "+strings.Join(members, " ,\n")+"}"); got.ID != want.ID {
			t.Fatalf("%q: another record", members)
		}
	}
}

// A space's nesting limit narrows the general one and never widens it.
func TestNestingLimit(t *testing.T) {
	nested := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	for _, c := range []struct{ limit, depth, want int }{{8, 8, 0}, {8, 9, 1}, {0, MaxNesting, 0}, {0, MaxNesting + 1, 1}, {1 << 20, MaxNesting + 1, 1}} {
		err := CheckCanonical(Structured, nested(c.depth), Limits{Nesting: c.limit})
		if (c.want == 1) != (reason.Of(err) == reason.NestingTooDeep) {
			t.Errorf("limit %d, depth %d: %v", c.limit, c.depth, err)
		}
		if got := Nesting(Structured, nested(c.depth)); got != c.depth {
			t.Errorf("depth %d is measured as %d", c.depth, got)
		}
	}
	if Nesting(Text, []byte("[[[")) != 0 {
		t.Error("text nests")
	}
}

func TestNewKeepsNothingOfItsArguments(t *testing.T) {
	content, pairs := []byte("kept"), []Pair{{ID{1}, Hash{2}}}
	for kind := range Kind(len(kinds)) {
		source := content
		if kind == Structured {
			source = []byte(`"kept"`)
		}
		r, err := New(kind, source, pairs, writer, 0)
		if err != nil {
			t.Fatal(err)
		}
		before := r.AppendWire(nil)
		for i := range source {
			source[i] = 'x'
		}
		pairs[0].Hash[0]++
		if !bytes.Equal(r.AppendWire(nil), before) || r.Pairs[0].Hash == pairs[0].Hash {
			t.Errorf("%s: the record changed with the caller's bytes", kind)
		}
	}
}

func TestTimeIsBounded(t *testing.T) {
	if _, err := New(Text, nil, nil, writer, wire.MaxUint+1); reason.Of(err) != reason.OutOfRange {
		t.Errorf("got %v", err)
	}
	if _, err := New(Text, nil, nil, writer, wire.MaxUint); err != nil {
		t.Error(err)
	}
}

// N-27: what resolves is an id; a subject or any other word is none.
func TestTextForms(t *testing.T) {
	r := mustNew(t, Text, "x")
	bare := strings.TrimPrefix(r.ID.String(), "rec:")
	for _, s := range []string{r.ID.String(), bare} {
		if id, err := ParseID(s); err != nil || id != r.ID {
			t.Errorf("%s: %v", s, err)
		}
	}
	if id, err := ParseItemID("item:" + bare); err != nil || ID(id) != r.ID || id.String() != "item:"+bare {
		t.Errorf("item: %v", err)
	}
	for _, s := range []string{"", "flight-1208", "latest", "rec:", "item:" + bare, "rec:rec:" + bare, bare + "=", bare[:42], bare[:21] + "\n" + bare[21:], "nhe:" + bare} {
		if _, err := ParseID(s); reason.Of(err) != reason.Malformed {
			t.Errorf("%q: %v", s, err)
		}
	}
	text := fmt.Sprint(identity.ID{}, r.ID, ItemID(r.ID), r.ContentHash)
	var id ID
	var item ItemID
	var hash Hash
	for i, u := range []interface{ UnmarshalText([]byte) error }{&id, &item, &hash} {
		if err := u.UnmarshalText([]byte(strings.Fields(text)[i+1])); err != nil {
			t.Error(err)
		}
	}
	if id != r.ID || ID(item) != r.ID || hash != r.ContentHash {
		t.Error("text forms do not read back")
	}
}

// N-67: documented, not prevented: whoever holds a hash can confirm a guess of the
// content, also after it was erased.
func TestHashConfirmsAGuess(t *testing.T) {
	r := mustNew(t, Text, "yes")
	r.Content, r.Erased = nil, true
	if HashOf([]byte("yes")) != r.ContentHash {
		t.Error("the package comment says otherwise")
	}
}

func BenchmarkCheckContent(b *testing.B) {
	for name, r := range map[string]Record{
		"claim": mustNew(b, Structured, `{"predicate":"departure","scope":"2026-11-30","subject":"flight-1208","value":{"gate":"B 12","minutes":17.5,"note":"late","time":"14:35"}}`),
		"text":  mustNew(b, Text, strings.Repeat("The bridge at Zürich is closed. ", 5)),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := r.CheckContent(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecodeWire(b *testing.B) {
	a := mustNew(b, Text, "a")
	data := mustNew(b, Text, strings.Repeat("x", 150), pairTo(a), pairTo(a)).AppendWire(nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DecodeWire(data); err != nil {
			b.Fatal(err)
		}
	}
}
