package apertomemory

import (
	"crypto/ed25519"

	"consilience/projection"
	"consilience/reason"
)

// Facts are what the native reader finds in an object. Trust is derived from the
// key that verified; the trust that the object states about itself is not read.
type Facts struct {
	FormatVersion     int64
	Trust             projection.Trust
	Authorship        projection.Authorship
	Author            *KeyID // nil unless the author is proven
	Signer            *KeyID // nil unless the signature verified
	SignatureVerified bool
	Custody           Custody
	Confidence        *float64 // nil when absent or out of 0..1
	SchemaViolation   string   // what an authentic object breaks; "" for nothing
	Content           string   // exact text
	Payload           Payload
}

// violation is the flag that vector 013 spells.
const violation = "confidence out of range"

// Open opens one sealed object. An object at fault gives a [projection.Refusal]:
// schema_invalid for its form, authentication_failed for what cannot be
// authenticated. An object whose data key the keyring lacks gives
// [projection.MaterialMissing], which is nobody's fault and in no counter.
func (k *Keyring) Open(object []byte) (Facts, error) {
	s, ok := openEnvelope(object)
	if !ok {
		return Facts{}, malformed("not a sealed object")
	}
	if s.Version != currentVersion && s.Version != legacyVersion {
		return Facts{}, malformed("a format version that is not known")
	}
	if s.Version == legacyVersion && !k.unverified {
		return Facts{}, unauthentic("format version 1 binds neither author nor envelope")
	}
	message, ok := cutEncrypt0(s.Message)
	if !ok {
		return Facts{}, malformed("not a COSE_Encrypt0 under AES-256-GCM")
	}
	key, ok := k.objectKeys[s.ID]
	if !ok {
		return Facts{}, reason.New(projection.MaterialMissing, "the keyring has no data key for an object").
			Advise("add the object's key to the keyring")
	}
	plaintext, err := message.decrypt(key, s.aad())
	if err != nil {
		return Facts{}, unauthentic("the tag fits neither ciphertext nor envelope")
	}
	signed, ok := cutSign1(plaintext)
	if !ok {
		return Facts{}, malformed("not a COSE_Sign1 under EdDSA")
	}
	return k.authenticate(s, signed)
}

// authenticate derives trust from the key that verifies.
func (k *Keyring) authenticate(s sealed, signed sign1) (Facts, error) {
	payload, ok := ParsePayload(signed.payload)
	if !ok {
		return Facts{}, malformed("payload is not a map with integer keys")
	}
	author, ok := payload.author()
	if !ok {
		return Facts{}, malformed("payload states no author")
	}
	if author != signed.kid {
		return Facts{}, unauthentic("header and payload name different authors")
	}
	f := Facts{FormatVersion: int64(s.Version), Payload: payload}
	key, known := k.key(signed.kid)
	switch {
	case s.Version == legacyVersion, !known && k.unverified:
		f.unverified()
	case !known:
		return Facts{}, unauthentic("signed by a key that the keyring does not accept")
	case !ed25519.Verify(key[:], signed.signedBytes(s.aad()), signed.signature):
		return Facts{}, unauthentic("the signature is not the stated author's")
	default:
		f.Signer, f.SignatureVerified = &signed.kid, true
		k.derive(&f, signed.kid)
	}
	return f, f.read()
}

// derive says whom a verified object is by.
func (k *Keyring) derive(f *Facts, signer KeyID) {
	c := f.Payload.custody()
	f.Custody = c.Custody
	byOwner := signer == k.ownerID
	switch {
	case !c.carried && byOwner:
		f.Trust, f.Authorship, f.Author = projection.Self, projection.Signed, &signer
	case !c.carried:
		f.Trust, f.Authorship, f.Author = projection.Trusted, projection.Signed, &signer
	// A custody record is the custodian's statement: only the owner can make one,
	// and only about an author whom the keyring accepts now.
	case byOwner && c.proven != nil && k.accepts(*c.proven):
		f.Trust, f.Authorship, f.Author = projection.Trusted, projection.Attested, c.proven
		f.Custody.Proven = c.proven
	default:
		f.unverified()
	}
}

func (f *Facts) unverified() {
	f.Trust, f.Authorship, f.Author = projection.Unverified, projection.Unknown, nil
}

// read takes the content out, after authentication.
func (f *Facts) read() error {
	content, ok := f.Payload.content()
	if !ok {
		return malformed("content is not text")
	}
	f.Content = content
	var violated bool
	if f.Confidence, violated = f.Payload.confidence(); violated {
		f.SchemaViolation = violation
	}
	return nil
}

func malformed(detail string) error { return projection.Refuse(projection.SchemaInvalid, detail) }
func unauthentic(detail string) error {
	return projection.Refuse(projection.AuthenticationFailed, detail)
}
