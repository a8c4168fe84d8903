package apertomemory

import (
	"testing"

	"github.com/fxamacker/cbor/v2"

	"consilience/projection"
)

// S-8 to S-11: who attests what, and that a broken custody record lowers trust and
// stops nothing.
func TestCustody(t *testing.T) {
	author, owner, stranger := KeyIDOf(public(t, private("author"))), KeyIDOf(public(t, private("owner"))), KeyID{7}
	record := func(proven any) map[uint64]any {
		return map[uint64]any{1: 1, 2: stranger[:], 3: 1755000000, 4: proven}
	}
	without := func(key uint64) map[uint64]any { r := record(author[:]); delete(r, key); return r }
	with := func(key uint64, v any) map[uint64]any { r := record(author[:]); r[key] = v; return r }
	attested := func(k KeyID) projection.Labels {
		return projection.Labels{Trust: projection.Trusted, Authorship: projection.Attested, AuthorKey: projection.KeyOf(k[:]), Custody: true}
	}
	nobody := func(custody bool) projection.Labels {
		return projection.Labels{Trust: projection.Unverified, Authorship: projection.Unknown, Custody: custody}
	}
	for what, c := range map[string]struct {
		signer  string
		custody any
		want    projection.Labels
	}{
		"owner for an author":      {"owner", record(author[:]), attested(author)},
		"owner for the owner":      {"owner", record(owner[:]), attested(owner)},
		"owner for a stranger":     {"owner", record(stranger[:]), nobody(true)},
		"owner, nothing proven":    {"owner", without(4), nobody(true)},
		"author for the author":    {"author", record(author[:]), nobody(true)},
		"author for the owner":     {"author", record(owner[:]), nobody(true)},
		"empty":                    {"owner", map[uint64]any{}, nobody(false)},
		"null":                     {"owner", nil, nobody(false)},
		"undefined":                {"owner", cbor.RawMessage{0xf7}, nobody(false)},
		"false":                    {"owner", false, nobody(false)},
		"integer":                  {"owner", 7, nobody(false)},
		"text":                     {"owner", "custody", nobody(false)},
		"bytes":                    {"owner", author[:], nobody(false)},
		"array":                    {"owner", []any{1, author[:], 3, author[:]}, nobody(false)},
		"tagged map":               {"owner", cbor.Tag{Number: 99, Content: record(author[:])}, nobody(false)},
		"text keys":                {"owner", map[string]any{"4": author[:]}, nobody(false)},
		"no version":               {"owner", without(1), nobody(true)},
		"no claim":                 {"owner", without(2), nobody(true)},
		"no time":                  {"owner", without(3), nobody(true)},
		"proven of 7 bytes":        {"owner", with(4, author[:7]), nobody(true)},
		"proven of 9 bytes":        {"owner", with(4, append(author[:], 0)), nobody(true)},
		"proven as text":           {"owner", with(4, string(make([]byte, 8))), nobody(true)},
		"proven null":              {"owner", with(4, nil), nobody(true)},
		"proven an array":          {"owner", with(4, []any{author[:]}), nobody(true)},
		"claim of 7 bytes":         {"owner", with(2, author[:7]), nobody(true)},
		"version negative":         {"owner", with(1, -1), nobody(true)},
		"version null":             {"owner", with(1, nil), nobody(true)},
		"time null":                {"owner", with(3, nil), nobody(true)},
		"claim as integers":        {"owner", with(2, cbor.RawMessage(append([]byte{0x88}, integers(stranger[:])...))), nobody(true)},
		"proven as integers":       {"owner", with(4, cbor.RawMessage(append([]byte{0x88}, integers(author[:])...))), nobody(true)},
		"version a float":          {"owner", with(1, 1.0), nobody(true)},
		"time as text":             {"owner", with(3, "now"), nobody(true)},
		"unknown field beside":     {"owner", with(9, "x"), attested(author)},
		"owner signs without":      {"owner", absent, projection.Labels{Trust: projection.Self, Authorship: projection.Signed, AuthorKey: projection.KeyOf(owner[:])}},
		"author signs without":     {"author", absent, projection.Labels{Trust: projection.Trusted, Authorship: projection.Signed, AuthorKey: projection.KeyOf(author[:])}},
		"duplicate key in the map": {"owner", cbor.RawMessage{0xa2, 1, 1, 1, 1}, nobody(false)},
	} {
		f := forged(t, c.signer)
		if c.custody != absent {
			f.payload[20] = c.custody
		}
		got, err := reader(t, false).Source().Open(f.seal(t))
		if err != nil || got.Labels != c.want {
			t.Errorf("%s: %+v, %v", what, got.Labels, err)
		}
	}
}
