package record

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"consilience/identity"
)

var update = flag.Bool("update", false, "write the golden vectors anew")

const goldenFile = "testdata/records.json"

// vector is one record from its parts to its bytes. Pairs name earlier vectors.
type vector struct {
	Name        string      `json:"name"`
	Kind        Kind        `json:"kind"`
	Content     string      `json:"content_hex"`
	Pairs       []string    `json:"pairs"`
	Contributor identity.ID `json:"contributor"`
	WrittenAt   uint64      `json:"written_at"`

	Canonical   string `json:"canonical_hex"`
	ContentHash Hash   `json:"content_hash"`
	Forward     string `json:"forward_hex"`
	RecordID    ID     `json:"record_id"`
	Wire        string `json:"wire_hex"`
}

// inputs are the parts; what follows from them is in the golden file.
func inputs() []vector {
	second := identity.ID{31: 7}
	text := func(s string) string { return hex.EncodeToString([]byte(s)) }
	return []vector{
		{Name: "text", Content: text("The bridge at Zu\u0308rich is closed."), Contributor: writer, WrittenAt: writtenAt},
		{Name: "empty text", Contributor: writer},
		{Name: "structured", Kind: Structured, Content: text("{ \"subject\": \"flight-1208\", \"predicate\": \"departure\",\n \"value\": {\"time\": \"14:35\", \"delay\": 1.50e1, \"caf\\u00e9\": \"\\/\"} }"), Contributor: writer, WrittenAt: writtenAt + 1},
		{Name: "binary", Kind: Binary, Content: "000102ff", Contributor: second, WrittenAt: 1<<53 - 1},
		{Name: "one pair", Content: text("It reopened."), Pairs: []string{"text"}, Contributor: second, WrittenAt: writtenAt + 2},
		{Name: "three pairs", Kind: Structured, Content: text("[]"), Pairs: []string{"structured", "binary", "one pair"}, Contributor: writer, WrittenAt: writtenAt + 3},
	}
}

// N-26: the same bytes, hashes and ids on every machine.
func TestGoldenRecords(t *testing.T) {
	got := inputs()
	written := map[string]Record{}
	for i := range got {
		written[got[i].Name] = derive(t, &got[i], written)
	}
	data, err := json.MarshalIndent(got, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	data = append(data, '\n')
	if *update {
		if err := os.WriteFile(goldenFile, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, want) {
		t.Errorf("%s does not hold any more; -update writes\n%s", goldenFile, data)
	}
}

// derive makes the record of v and fills in what follows from its parts.
func derive(t *testing.T, v *vector, written map[string]Record) Record {
	t.Helper()
	content, err := hex.DecodeString(v.Content)
	if err != nil {
		t.Fatal(err)
	}
	v.Pairs = append([]string{}, v.Pairs...)
	pairs := make([]Pair, len(v.Pairs))
	for i, name := range v.Pairs {
		pairs[i] = pairTo(written[name])
	}
	r, err := New(v.Kind, content, pairs, v.Contributor, v.WrittenAt)
	if err != nil {
		t.Fatal(err)
	}
	v.Canonical, v.ContentHash = hex.EncodeToString(r.Content), r.ContentHash
	v.Forward, v.RecordID = hex.EncodeToString(r.Forward), r.ID
	v.Wire = hex.EncodeToString(r.AppendWire(nil))
	return r
}
