package bus

import (
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"consilience/identity"
	"consilience/reason"
)

// maxNonce is the longest nonce that a server may have signed, in bytes.
const maxNonce = 64

// keyLogin logs in with key: an nkey is a printable form of an Ed25519 key.
func keyLogin(key identity.PrivateKey) (nats.Option, error) {
	pair, err := nkeys.FromRawSeed(nkeys.PrefixByteUser, key.Seed())
	if err != nil {
		return nil, reason.Wrap(reason.KeyInvalid, err, "key cannot log in")
	}
	public, err := pair.PublicKey()
	if err != nil {
		return nil, reason.Wrap(reason.KeyInvalid, err, "key cannot log in")
	}
	return nats.Nkey(public, func(nonce []byte) ([]byte, error) {
		if !plain(nonce) {
			return nil, reason.New(reason.SignatureInvalid, "the server asks for a signature over something else than a nonce")
		}
		return pair.Sign(nonce)
	}), nil
}

// plain reports whether nonce is a short word of base64. The same key signs deltas,
// so a hostile server must not get a signature over bytes that mean something else;
// what COSE signs begins with 0x84 and is longer.
func plain(nonce []byte) bool {
	if len(nonce) == 0 || len(nonce) > maxNonce {
		return false
	}
	for _, c := range nonce {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case c == '-', c == '_', c == '+', c == '/', c == '=':
		default:
			return false
		}
	}
	return true
}
