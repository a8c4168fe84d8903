package identity

import (
	"strings"

	"consilience/reason"
	"consilience/wire"
)

// A key file is one line: what the key is, a space, 43 characters of base64url,
// a line feed.
const (
	publicWord  = "nhe-ed25519 "
	privateWord = "nhe-ed25519-private "
)

// MarshalPublic is the key file of k.
func MarshalPublic(k PublicKey) []byte { return []byte(publicWord + wire.Text(k) + "\n") }

// MarshalPrivate is the key file of k. It holds the secret: write it with mode
// 0600.
func MarshalPrivate(k PrivateKey) []byte {
	return []byte(privateWord + wire.Text([32]byte(k.Seed())) + "\n")
}

// ParsePublic reads a public key file. It returns [reason.Malformed] for other
// text and [reason.KeyInvalid] as [NewPublicKey] does.
func ParsePublic(file []byte) (PublicKey, error) {
	raw, ok := parseFile(file, publicWord)
	if !ok {
		return PublicKey{}, reason.New(reason.Malformed, "not a public key file").
			Advise(`it is one line, "%s" and 43 characters`, strings.TrimSpace(publicWord))
	}
	return NewPublicKey(raw[:])
}

// ParsePrivate reads a private key file. It returns [reason.Malformed] for other
// text; the error never repeats what the file holds.
func ParsePrivate(file []byte) (PrivateKey, error) {
	seed, ok := parseFile(file, privateWord)
	if !ok {
		return PrivateKey{}, reason.New(reason.Malformed, "not a private key file").
			Advise(`it is one line, "%s" and 43 characters`, strings.TrimSpace(privateWord))
	}
	return NewPrivateKey(seed[:])
}

// parseFile returns the value of the one line; the last line feed may be missing,
// as editors and pastes drop it.
func parseFile(file []byte, word string) (value [32]byte, ok bool) {
	text, ok := strings.CutPrefix(strings.TrimSuffix(string(file), "\n"), word)
	if !ok {
		return value, false
	}
	value, err := wire.ParseText(text)
	return value, err == nil
}
