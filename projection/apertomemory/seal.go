package apertomemory

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"

	"consilience/wire"
)

// sealed is the cleartext envelope of a sealed object: what a blind server sees.
type sealed struct {
	ID      ObjectID `cbor:"1,keyasint"`
	Scope   [16]byte `cbor:"2,keyasint"`
	Version uint64   `cbor:"3,keyasint"`
	Message []byte   `cbor:"4,keyasint"`           // COSE_Encrypt0
	Wrap    []byte   `cbor:"5,keyasint,omitempty"` // 16 bytes; reserved, read by nobody
}

// Format versions. Only version 2 binds author and envelope.
const (
	legacyVersion  = 1
	currentVersion = 2
)

// openEnvelope reads the cleartext envelope, in its one deterministic encoding.
func openEnvelope(object []byte) (s sealed, ok bool) {
	if wire.Unmarshal(object, &s) != nil {
		return sealed{}, false
	}
	return s, len(s.Wrap) == 0 || len(s.Wrap) == 16
}

// aad is the external_aad of both COSE layers: version, id and scope as they stand
// in the envelope, so that a server that rewrites any of them breaks the tag.
// Version 1 has none.
func (s sealed) aad() []byte {
	if s.Version == legacyVersion {
		return []byte{}
	}
	b := append(wire.AppendArray(nil, 3), currentVersion)
	return wire.AppendBytes(wire.AppendBytes(b, s.ID[:]), s.Scope[:])
}

// The only Encrypt0 and Sign1 that the format has, as bytes: a tag, an array, one
// protected header, one unprotected. Any other header, algorithm or encoding is
// another message (RFC 9052 sections 4.2 and 5.2).
var (
	encrypt0Protected = []byte{0xa1, 0x01, 0x03}                   // {1: 3}: AES-256-GCM
	encrypt0Head      = []byte{0xd0, 0x83, 0x43, 0xa1, 0x01, 0x03} // 16([h'a10103',
	encrypt0IV        = []byte{0xa1, 0x05, 0x4c}                   // {5: 12 bytes},
	sign1Head         = []byte{0xd2, 0x84, 0x4d}                   // 18([13 bytes,
	sign1Protected    = []byte{0xa2, 0x01, 0x27, 0x04, 0x48}       // {1: -8, 4: 8 bytes},
	sign1Unprotected  = []byte{0xa0}                               // {},
	sign1Signature    = []byte{0x58, 0x40}                         // 64 bytes])
)

const ivBytes = 12

// encrypt0 is a COSE_Encrypt0 taken apart.
type encrypt0 struct {
	iv         []byte
	ciphertext []byte
}

func cutEncrypt0(message []byte) (e encrypt0, ok bool) {
	rest, ok := bytes.CutPrefix(message, encrypt0Head)
	if !ok {
		return encrypt0{}, false
	}
	rest, ok = bytes.CutPrefix(rest, encrypt0IV)
	if !ok || len(rest) < ivBytes {
		return encrypt0{}, false
	}
	ciphertext, rest, err := wire.CutBytes(rest[ivBytes:])
	iv := message[len(encrypt0Head)+len(encrypt0IV):][:ivBytes]
	return encrypt0{iv, ciphertext}, err == nil && len(rest) == 0
}

// decrypt opens the message under a data encryption key.
func (e encrypt0) decrypt(key [32]byte, aad []byte) ([]byte, error) {
	return e.open(key, encStructure(encrypt0Protected, aad))
}

// open is AES-256-GCM over all that is authenticated besides the ciphertext.
func (e encrypt0) open(key [32]byte, authenticated []byte) ([]byte, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	return gcm.Open(nil, e.iv, e.ciphertext, authenticated)
}

// encStructure is what an Encrypt0 authenticates besides its ciphertext.
func encStructure(protected, aad []byte) []byte {
	b := append([]byte{0x83, 0x68}, "Encrypt0"...)
	return wire.AppendBytes(wire.AppendBytes(b, protected), aad)
}

// sign1 is a COSE_Sign1 taken apart.
type sign1 struct {
	kid       KeyID
	protected []byte
	payload   []byte
	signature []byte
}

func cutSign1(message []byte) (s sign1, ok bool) {
	rest, ok := bytes.CutPrefix(message, sign1Head)
	if !ok {
		return sign1{}, false
	}
	n := len(sign1Protected) + len(s.kid)
	if len(rest) < n || !bytes.HasPrefix(rest, sign1Protected) {
		return sign1{}, false
	}
	s.protected, rest = rest[:n], rest[n:]
	s.kid = KeyID(s.protected[len(sign1Protected):])
	if rest, ok = bytes.CutPrefix(rest, sign1Unprotected); !ok {
		return sign1{}, false
	}
	payload, rest, err := wire.CutBytes(rest)
	if err != nil {
		return sign1{}, false
	}
	s.payload = payload
	s.signature, ok = bytes.CutPrefix(rest, sign1Signature)
	return s, ok && len(s.signature) == 64
}

// signedBytes is the Sig_structure (RFC 9052 section 4.4).
func (s sign1) signedBytes(aad []byte) []byte { return sigStructure(s.protected, aad, s.payload) }

func sigStructure(protected, aad, payload []byte) []byte {
	b := append([]byte{0x84, 0x6a}, "Signature1"...)
	return wire.AppendBytes(wire.AppendBytes(wire.AppendBytes(b, protected), aad), payload)
}
