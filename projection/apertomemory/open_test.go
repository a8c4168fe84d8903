package apertomemory

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"consilience/projection"
)

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
		"forged, and no text":   {func(f *forge) { f.key, f.payload[2] = private("stranger"), 7 }, auth}, // AP-10
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
