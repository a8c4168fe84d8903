package apertomemory

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ed25519"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"consilience/identity"
	"consilience/projection"
	"consilience/reason"
)

// forge seals objects of any form: what a hostile or broken producer writes.
type forge struct {
	key      ed25519.PrivateKey
	version  uint64
	payload  map[uint64]any
	raw      []byte // instead of payload
	kid      []byte
	sign     func(aad, payload []byte) []byte // instead of a signature by key
	sign1    func(parts []any) any
	encrypt0 func(parts []any) any
	envelope func(parts map[uint64]any) any
	aad      []byte                      // instead of the envelope's
	plain    func(message []byte) []byte // of the encoded COSE_Sign1, before it is encrypted
	message  func(message []byte) []byte // of the encoded COSE_Encrypt0
}

func private(name string) ed25519.PrivateKey {
	seed := projection.DigestOf([]byte(name))
	return ed25519.NewKeyFromSeed(seed[:])
}

func public(t testing.TB, k ed25519.PrivateKey) identity.PublicKey {
	t.Helper()
	p, err := identity.NewPublicKey(k.Public().(ed25519.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var (
	testObject = ObjectID{1, 2, 3}
	testKey    = [32]byte{9, 8, 7}
)

// forged is a good object by the named signer, to be spoilt.
func forged(t testing.TB, signer string) *forge {
	k := private(signer)
	kid := KeyIDOf(public(t, k))
	return &forge{key: k, version: 2, kid: kid[:], payload: map[uint64]any{
		1: 2, 2: "a memory", 3: 0.5, 4: map[uint64]any{1: "test", 2: kid[:]}, 5: 1, 7: map[uint64]any{1: 1750000000},
	}}
}

func encode(t testing.TB, v any) []byte {
	t.Helper()
	b, err := deterministic.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (f *forge) seal(t testing.TB) []byte {
	t.Helper()
	scope := [16]byte{5}
	aad := f.aad
	if aad == nil {
		aad = sealed{ID: testObject, Scope: scope, Version: f.version}.aad()
	}
	payload := f.raw
	if payload == nil {
		payload = encode(t, f.payload)
	}
	protected := encode(t, map[int]any{1: -8, 4: f.kid})
	signature := ed25519.Sign(f.key, sigStructure(protected, aad, payload))
	if f.sign != nil {
		signature = f.sign(aad, payload)
	}
	plain := encode(t, cbor.Tag{Number: 18, Content: apply(f.sign1, []any{protected, map[int]any{}, payload, signature})})
	if f.plain != nil {
		plain = f.plain(plain)
	}

	block, _ := aes.NewCipher(testKey[:])
	gcm, _ := cipher.NewGCM(block)
	iv := make([]byte, 12)
	ciphertext := gcm.Seal(nil, iv, plain, encStructure(encrypt0Protected, aad))
	message := encode(t, cbor.Tag{Number: 16, Content: apply(f.encrypt0, []any{encrypt0Protected, map[int]any{5: iv}, ciphertext})})
	if f.message != nil {
		message = f.message(message)
	}
	parts := map[uint64]any{1: testObject[:], 2: scope[:], 3: f.version, 4: message}
	if f.envelope != nil {
		return encode(t, f.envelope(parts))
	}
	return encode(t, parts)
}

func apply(change func([]any) any, parts []any) any {
	if change == nil {
		return parts
	}
	return change(parts)
}

// reader accepts "author", belongs to "owner" and can open the forged objects.
func reader(t testing.TB, allowUnverified bool) *Keyring {
	t.Helper()
	author := public(t, private("author"))
	k, err := NewKeyring(Config{
		Owner: public(t, private("owner")), Accepted: []Accepted{{KeyIDOf(author), author}},
		ObjectKeys: map[ObjectID][32]byte{testObject: testKey}, AllowUnverified: allowUnverified,
	})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// S-6: trust comes from the verifying key; the trust that the payload states is not
// read.
func TestTrustComesFromTheKey(t *testing.T) {
	for signer, want := range map[string]projection.Trust{"owner": projection.Self, "author": projection.Trusted} {
		for _, stated := range []any{1, 2, 4, "self", nil} {
			f := forged(t, signer)
			f.payload[5] = stated
			got, err := reader(t, false).Open(f.seal(t))
			if err != nil || got.Trust != want || got.Authorship != projection.Signed || got.Content != "a memory" {
				t.Errorf("%s stating %v: %+v, %v", signer, stated, got, err)
			}
		}
	}
}

// P-37, P-38, S-1 to S-5, S-7: what is refused, and under which counter.
func TestRefusedObjects(t *testing.T) {
	const form, auth = projection.SchemaInvalid, projection.AuthenticationFailed
	for what, c := range map[string]struct {
		spoil func(f *forge)
		want  projection.Exclusion
	}{
		"unknown signer":        {func(f *forge) { *f = *forged(t, "stranger") }, auth},
		"forged author":         {func(f *forge) { f.key = private("stranger") }, auth},
		"other kid":             {func(f *forge) { f.kid = make([]byte, 8) }, auth},
		"other payload author":  {func(f *forge) { f.payload[4] = map[uint64]any{1: "x", 2: make([]byte, 8)} }, auth},
		"signature over no aad": {func(f *forge) { f.sign = func(_, p []byte) []byte { return signOver(f, []byte{}, p) } }, auth},
		"rewritten envelope":    {func(f *forge) { f.aad = []byte("another envelope") }, auth},
		"version 1":             {func(f *forge) { f.version = 1 }, auth},
		"version 3":             {func(f *forge) { f.version = 3 }, form},
		"version 0":             {func(f *forge) { f.version = 0 }, form},
		"short kid":             {func(f *forge) { f.kid = f.kid[:7] }, form},
		"no author":             {func(f *forge) { delete(f.payload, 4) }, form},
		"author of 7 bytes":     {func(f *forge) { f.payload[4] = map[uint64]any{2: make([]byte, 7)} }, form},
		"author as integers": {func(f *forge) {
			f.payload[4] = cbor.RawMessage(append([]byte{0xa1, 0x02, 0x88}, integers(f.kid)...))
		}, form},
		"author twice": {func(f *forge) {
			id := append([]byte{0x02, 0x48}, f.kid...)
			f.payload[4] = cbor.RawMessage(slices.Concat([]byte{0xa2}, id, id))
		}, form},
		"payload key twice, the rest good": {func(f *forge) {
			whole := encode(t, f.payload)
			f.raw = append([]byte{whole[0] + 1, 0x02, 0x60}, whole[1:]...)
		}, form},
		"author as text":        {func(f *forge) { f.payload[4] = map[uint64]any{2: "12345678"} }, form},
		"content bytes":         {func(f *forge) { f.payload[2] = []byte("bytes") }, form},
		"content missing":       {func(f *forge) { delete(f.payload, 2) }, form},
		"content null":          {func(f *forge) { f.payload[2] = nil }, form},
		"content not UTF-8":     {func(f *forge) { f.payload[2] = cbor.RawMessage{0x61, 0xff} }, form},
		"payload an array":      {func(f *forge) { f.raw = []byte{0x80} }, form},
		"payload null":          {func(f *forge) { f.raw = []byte{0xf6} }, form},
		"payload cut":           {func(f *forge) { f.raw = []byte{0xa1, 0x02} }, form},
		"payload key twice":     {func(f *forge) { f.raw = []byte{0xa2, 0x02, 0x60, 0x02, 0x60} }, form},
		"payload key in text":   {func(f *forge) { f.raw = []byte{0xa1, 0x61, 0x32, 0x60} }, form},
		"payload indefinite":    {func(f *forge) { f.raw = []byte{0xbf, 0xff} }, form},
		"payload nested deep":   {func(f *forge) { f.raw = append(append([]byte{0xa1, 0x0a}, repeat(0x81, 64)...), 0x80) }, form},
		"algorithm unprotected": {func(f *forge) { f.sign1 = func(p []any) any { p[1] = map[int]any{1: -8}; return p } }, form},
		"kid unprotected too":   {func(f *forge) { f.sign1 = func(p []any) any { p[1] = map[int]any{4: f.kid}; return p } }, form},
		"other algorithm": {func(f *forge) {
			f.sign1 = func(p []any) any { p[0] = encode(t, map[int]any{1: -7, 4: f.kid}); return p }
		}, form},
		"no algorithm": {func(f *forge) { f.sign1 = func(p []any) any { p[0] = encode(t, map[int]any{4: f.kid}); return p } }, form},
		"critical header": {func(f *forge) {
			f.sign1 = func(p []any) any { p[0] = encode(t, map[int]any{1: -8, 2: []int{4}, 4: f.kid}); return p }
		}, form},
		"short signature":                   {func(f *forge) { f.sign = func(_, _ []byte) []byte { return make([]byte, 63) } }, form},
		"signature of 62 bytes":             {func(f *forge) { f.sign = func(_, _ []byte) []byte { return make([]byte, 62) } }, form},
		"long signature":                    {func(f *forge) { f.sign = func(_, _ []byte) []byte { return make([]byte, 65) } }, form},
		"bytes after the signed message":    {func(f *forge) { f.plain = func(b []byte) []byte { return append(b, 0) } }, form},
		"bytes after the encrypted message": {func(f *forge) { f.message = func(b []byte) []byte { return append(b, 0) } }, form},
		"detached payload":                  {func(f *forge) { f.sign1 = func(p []any) any { p[2] = nil; return p } }, form},
		"five parts":                        {func(f *forge) { f.sign1 = func(p []any) any { return append(p, 0) } }, form},
		"encrypt0 algorithm":                {func(f *forge) { f.encrypt0 = func(p []any) any { p[0] = []byte{0xa1, 0x01, 0x01}; return p } }, form},
		"encrypt0 unprotected": {func(f *forge) {
			f.encrypt0 = func(p []any) any { p[1] = map[int]any{1: 3, 5: make([]byte, 12)}; return p }
		}, form},
		"iv of 11 bytes":          {func(f *forge) { f.encrypt0 = func(p []any) any { p[1] = map[int]any{5: make([]byte, 11)}; return p } }, form},
		"other iv":                {func(f *forge) { f.encrypt0 = func(p []any) any { p[1] = map[int]any{5: repeat(1, 12)}; return p } }, auth},
		"no ciphertext":           {func(f *forge) { f.encrypt0 = func(p []any) any { p[2] = nil; return p } }, form},
		"empty ciphertext":        {func(f *forge) { f.encrypt0 = func(p []any) any { p[2] = []byte{}; return p } }, auth},
		"envelope key 6":          {func(f *forge) { f.envelope = func(p map[uint64]any) any { p[6] = 1; return p } }, form},
		"envelope without scope":  {func(f *forge) { f.envelope = func(p map[uint64]any) any { delete(p, 2); return p } }, form},
		"envelope id of 15 bytes": {func(f *forge) { f.envelope = func(p map[uint64]any) any { p[1] = make([]byte, 15); return p } }, form},
		"envelope wrap of 8":      {func(f *forge) { f.envelope = func(p map[uint64]any) any { p[5] = make([]byte, 8); return p } }, form},
		"envelope an array":       {func(f *forge) { f.envelope = func(p map[uint64]any) any { return []any{p} } }, form},
		"other scope":             {func(f *forge) { f.envelope = func(p map[uint64]any) any { p[2] = make([]byte, 16); return p } }, auth},
	} {
		t.Run(what, func(t *testing.T) {
			f := forged(t, "owner")
			c.spoil(f)
			got, err := reader(t, false).Open(f.seal(t))
			wantRefused(t, err, c.want)
			if got.Content != "" {
				t.Error("content beside a refusal")
			}
		})
	}
}

func signOver(f *forge, aad, payload []byte) []byte {
	protected, _ := deterministic.Marshal(map[int]any{1: -8, 4: f.kid})
	return ed25519.Sign(f.key, sigStructure(protected, aad, payload))
}

// integers is each byte as an integer of CBOR, in two bytes.
func integers(bytes []byte) (b []byte) {
	for _, v := range bytes {
		if b = append(b, 0x18, v); v < 24 {
			b = append(b[:len(b)-2], v)
		}
	}
	return b
}

func repeat(b byte, n int) []byte { return []byte(strings.Repeat(string([]byte{b}), n)) }

// S-1: the reserved key 5 is admitted and not read.
func TestReservedEnvelopeKey(t *testing.T) {
	f := forged(t, "owner")
	f.envelope = func(p map[uint64]any) any { p[5] = make([]byte, 16); return p }
	if _, err := reader(t, false).Open(f.seal(t)); err != nil {
		t.Error(err)
	}
}

// S-1: a sealed object has one encoding.
func TestOtherEncodings(t *testing.T) {
	object := forged(t, "owner").seal(t)
	for what, b := range map[string][]byte{
		"longer map head": append([]byte{0xb8, 4}, object[1:]...),
		"indefinite":      append(append([]byte{0xbf}, object[1:]...), 0xff),
		"trailing":        append(append([]byte{}, object...), 0),
		"cut":             object[:len(object)-1],
		"empty":           {},
	} {
		_, err := reader(t, false).Open(b)
		if err == nil {
			t.Errorf("%s opened", what)
		}
		wantRefused(t, err, projection.SchemaInvalid)
	}
}

// P-41: a missing data key is nobody's fault and in no counter.
func TestMissingDataKey(t *testing.T) {
	k, err := NewKeyring(Config{Owner: public(t, private("owner"))})
	if err != nil {
		t.Fatal(err)
	}
	_, err = k.Open(forged(t, "owner").seal(t))
	wantCode(t, err, projection.MaterialMissing)
}

// S-7, AP-8: opting in shows unknown signers as unverified, by nobody, and nothing
// that a known key contradicts.
func TestOptIn(t *testing.T) {
	f, err := reader(t, true).Open(forged(t, "stranger").seal(t))
	if err != nil || f.Trust != projection.Unverified || f.Authorship != projection.Unknown || f.Author != nil || f.Signer != nil || f.SignatureVerified {
		t.Errorf("%+v, %v", f, err)
	}
	spoilt := forged(t, "owner")
	spoilt.key = private("stranger")
	_, err = reader(t, true).Open(spoilt.seal(t))
	wantRefused(t, err, projection.AuthenticationFailed)
}

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

type nothing struct{}

var absent any = nothing{}

// S-13: a confidence that is no number in 0..1 is absent and flagged, the object stays.
func TestConfidence(t *testing.T) {
	for _, c := range []struct {
		value any
		ok    bool
	}{{0.0, true}, {1.0, true}, {0.9, true}, {float32(0.5), true}, {1.0000001, false}, {-0.1, false}, {math.NaN(), false},
		{math.Inf(1), false}, {1, false}, {"1", false}, {cbor.RawMessage{0x18, 1}, false}, {cbor.RawMessage{0xf8, 0x20}, false}, {nil, false}, {true, false}, {absent, false}} {
		f := forged(t, "owner")
		f.payload[3] = c.value
		if c.value == absent {
			delete(f.payload, 3)
		}
		got, err := reader(t, false).Open(f.seal(t))
		if err != nil || (got.Confidence != nil) != c.ok || (got.SchemaViolation == "") != c.ok {
			t.Errorf("%v: %v %q %v", c.value, got.Confidence, got.SchemaViolation, err)
		}
	}
}

// S-15: content that a producer must not write is read all the same: empty text.
func TestEmptyContent(t *testing.T) {
	f := forged(t, "owner")
	f.payload[2] = ""
	o, err := reader(t, false).Source().Open(f.seal(t))
	if err != nil || o.Body == nil || len(o.Body) != 0 {
		t.Errorf("%+v, %v", o, err)
	}
}

// S-16: fields that this version does not know survive a rewrite, byte for byte.
func TestUnknownFieldsSurvive(t *testing.T) {
	f := forged(t, "owner")
	f.payload[8] = map[uint64]any{1: "model", 2: []float64{0.5}}
	f.payload[99] = []any{"unknown", cbor.Tag{Number: 1, Content: 5}}
	f.payload[1<<40] = nil
	got, err := reader(t, false).Open(f.seal(t))
	if err != nil {
		t.Fatal(err)
	}
	if want := encode(t, f.payload); string(got.Payload.Bytes()) != string(want) {
		t.Errorf("%x, want %x", got.Payload.Bytes(), want)
	}
}

// S-14: a bad object among others stops none of them and is counted.
func TestBadObjectsAreCounted(t *testing.T) {
	bad, forgedOne, odd := forged(t, "owner"), forged(t, "owner"), forged(t, "owner")
	bad.payload[2] = 7
	forgedOne.key = private("stranger")
	odd.payload[20] = "broken custody"
	var opened, form, auth int
	for _, object := range [][]byte{{0xff}, bad.seal(t), forgedOne.seal(t), odd.seal(t), forged(t, "author").seal(t)} {
		_, err := reader(t, false).Source().Open(object)
		switch {
		case err == nil:
			opened++
		case strings.HasPrefix(err.Error(), "schema_invalid"):
			form++
		case strings.HasPrefix(err.Error(), "authentication_failed"):
			auth++
		}
	}
	if opened != 2 || form != 2 || auth != 1 {
		t.Error(opened, form, auth)
	}
}

// P-49, S-6: a keyring is an instant; revoking an author is another keyring, under
// which the author's objects are nobody's.
func TestRevocation(t *testing.T) {
	object := forged(t, "author").seal(t)
	author := public(t, private("author"))
	c := Config{Owner: public(t, private("owner")), Accepted: []Accepted{{KeyIDOf(author), author}}, ObjectKeys: map[ObjectID][32]byte{testObject: testKey}}
	before, err := NewKeyring(c)
	if err != nil {
		t.Fatal(err)
	}
	snapshot := before.Snapshot()
	c.Accepted[0] = Accepted{}
	delete(c.ObjectKeys, testObject)
	if f, err := before.Open(object); err != nil || f.Trust != projection.Trusted || string(before.Snapshot()) != string(snapshot) {
		t.Errorf("the keyring changed: %v", err)
	}
	c.Accepted, c.ObjectKeys = nil, map[ObjectID][32]byte{testObject: testKey}
	after, err := NewKeyring(c)
	if err != nil {
		t.Fatal(err)
	}
	_, err = after.Open(object)
	wantRefused(t, err, projection.AuthenticationFailed)
	if string(after.Snapshot()) == string(snapshot) {
		t.Error("one snapshot for two trust states")
	}
}

// AP-14, S-17: eight bytes are short. Two keys with one id are refused, an id that is
// not its key's too, the same key twice is one.
func TestKeysWithOneID(t *testing.T) {
	a, b := public(t, private("a")), public(t, private("b"))
	owner := public(t, private("owner"))
	one := func(identity.PublicKey) KeyID { return KeyID{1} }
	_, err := newKeyring(Config{Owner: owner, Accepted: []Accepted{{KeyID{1}, a}}}, one)
	wantCode(t, err, reason.KeyInvalid)
	byOwner := func(k identity.PublicKey) KeyID {
		if k == owner {
			return KeyID{2}
		}
		return KeyID{1}
	}
	_, err = newKeyring(Config{Owner: owner, Accepted: []Accepted{{KeyID{1}, a}, {KeyID{1}, b}}}, byOwner)
	wantCode(t, err, reason.KeyInvalid)
	_, err = NewKeyring(Config{Owner: owner, Accepted: []Accepted{{KeyIDOf(a), b}}})
	wantCode(t, err, reason.KeyInvalid)
	k, err := NewKeyring(Config{Owner: owner, Accepted: []Accepted{{KeyIDOf(a), a}, {KeyIDOf(a), a}, {KeyIDOf(owner), owner}}})
	if err != nil || len(k.accepted) != 2 {
		t.Error(err)
	}
	for _, weak := range []identity.PublicKey{{}, {1}} { // AP-12
		_, err := NewKeyring(Config{Owner: weak})
		wantCode(t, err, reason.KeyInvalid)
		_, err = NewKeyring(Config{Owner: owner, Accepted: []Accepted{{KeyIDOf(weak), weak}}})
		wantCode(t, err, reason.KeyInvalid)
	}
}

// P-105: no refusal shows what an object says, nor any key.
func TestRefusalsShowNothing(t *testing.T) {
	const canary = "CANARY-7f3a"
	for _, spoil := range []func(f *forge){
		func(f *forge) { f.key = private("stranger") },
		func(f *forge) { f.payload[2] = []byte(canary) },
		func(f *forge) { f.payload[4] = canary },
		func(f *forge) { f.raw = []byte(canary) },
		func(f *forge) { f.kid = []byte(canary) },
	} {
		f := forged(t, "owner")
		f.payload[2] = canary
		spoil(f)
		_, err := reader(t, false).Open(f.seal(t))
		if err == nil || strings.Contains(fmt.Sprintf("%+v %#v", err, err), canary) {
			t.Errorf("%v", err)
		}
	}
}
