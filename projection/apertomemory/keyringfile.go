package apertomemory

import (
	"encoding/base64"
	"encoding/hex"

	"consilience/identity"
	"consilience/projection"
	"consilience/reason"
	"consilience/record/ijson"
)

// MaxKeyringBytes bounds a keyring file.
const MaxKeyringBytes = 1 << 24

// ParseKeyring reads a keyring from its JSON file, all members required:
//
//	{"owner": KEY,
//	 "accepted": [{"key_id": HEX8, "public_key": KEY}],
//	 "object_keys": [{"object_id": HEX16, "key": KEY}],
//	 "allow_unverified": false}
//
// KEY is 32 bytes in unpadded base64url, HEX8 and HEX16 are lower-case hex. It
// returns [reason.Malformed] and the reasons of [NewKeyring]. No refusal quotes the
// file, which holds data keys.
func ParseKeyring(data []byte) (*Keyring, error) {
	if len(data) > MaxKeyringBytes {
		return nil, reason.New(projection.ResourceLimit, "a keyring of more than %d bytes", MaxKeyringBytes)
	}
	root, err := ijson.Parse(data, ijson.Options{Nesting: 4})
	if err != nil {
		return nil, err
	}
	fields, err := root.Fields([]string{"owner", "accepted", "object_keys", "allow_unverified"})
	if err != nil {
		return nil, err
	}
	var c Config
	if c.Owner, err = publicKey(fields["owner"]); err != nil {
		return nil, err
	}
	if c.Accepted, err = acceptedKeys(fields["accepted"]); err != nil {
		return nil, err
	}
	if c.ObjectKeys, err = objectKeys(fields["object_keys"]); err != nil {
		return nil, err
	}
	allow, ok := fields["allow_unverified"].Bool()
	if !ok {
		return nil, reason.New(reason.Malformed, "true or false expected").On("allow_unverified")
	}
	c.AllowUnverified = allow
	return NewKeyring(c)
}

func acceptedKeys(v ijson.Value) (keys []Accepted, err error) {
	for item, err := range pairs(v, "key_id", "public_key") {
		if err != nil {
			return nil, err
		}
		id, ok := fromHex(item[0], len(KeyID{}))
		if !ok {
			return nil, reason.New(reason.Malformed, "8 bytes in lower-case hex expected").On("accepted.key_id")
		}
		key, err := publicKey(item[1])
		if err != nil {
			return nil, err
		}
		keys = append(keys, Accepted{KeyID(id), key})
	}
	return keys, nil
}

func objectKeys(v ijson.Value) (map[ObjectID][32]byte, error) {
	keys := map[ObjectID][32]byte{}
	for item, err := range pairs(v, "object_id", "key") {
		if err != nil {
			return nil, err
		}
		id, ok := fromHex(item[0], len(ObjectID{}))
		key, okKey := fromBase64(item[1])
		if !ok || !okKey {
			return nil, reason.New(reason.Malformed, "an object id in hex and 32 bytes in base64url expected").On("object_keys")
		}
		if _, twice := keys[ObjectID(id)]; twice {
			return nil, reason.New(reason.Malformed, "two keys for one object").On("object_keys")
		}
		keys[ObjectID(id)] = key
	}
	return keys, nil
}

// pairs yields the two members of every object of an array.
func pairs(v ijson.Value, first, second string) func(func([2]ijson.Value, error) bool) {
	return func(yield func([2]ijson.Value, error) bool) {
		if v.Kind() != ijson.Array {
			yield([2]ijson.Value{}, reason.New(reason.Malformed, "an array expected, found %s", v.Kind()))
			return
		}
		for element := range v.Elements() {
			fields, err := element.Fields([]string{first, second})
			if !yield([2]ijson.Value{fields[first], fields[second]}, err) {
				return
			}
		}
	}
}

func publicKey(v ijson.Value) (identity.PublicKey, error) {
	raw, ok := fromBase64(v)
	if !ok {
		return identity.PublicKey{}, reason.New(reason.Malformed, "a key of 32 bytes in base64url expected")
	}
	return identity.NewPublicKey(raw[:])
}

func fromBase64(v ijson.Value) (out [32]byte, ok bool) {
	s, ok := v.Text()
	b, err := base64.RawURLEncoding.DecodeString(s)
	if !ok || err != nil || len(b) != len(out) || base64.RawURLEncoding.EncodeToString(b) != s {
		return out, false
	}
	return [32]byte(b), true
}

func fromHex(v ijson.Value, n int) ([]byte, bool) {
	s, ok := v.Text()
	b, err := hex.DecodeString(s)
	return b, ok && err == nil && len(b) == n && hex.EncodeToString(b) == s
}
