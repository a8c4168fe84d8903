package identity

import (
	"bytes"
	"testing"

	"consilience/reason"
)

// FuzzPublicKeyFile: a key file is the one that its key has, but for the last line
// feed, or it is refused with a reason.
func FuzzPublicKeyFile(f *testing.F) {
	key, err := NewPrivateKey(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(MarshalPublic(key.Public()))
	f.Add(MarshalPrivate(key))
	f.Add(bytes.TrimSpace(MarshalPublic(key.Public())))
	f.Add([]byte(publicWord + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n"))
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, file []byte) {
		k, err := ParsePublic(file)
		if err != nil {
			if code := reason.Of(err); code != reason.Malformed && code != reason.KeyInvalid {
				t.Errorf("%q: %v", file, err)
			}
			return
		}
		if want := MarshalPublic(k); !bytes.Equal(file, want) && !bytes.Equal(file, want[:len(want)-1]) {
			t.Errorf("%q is read as the key of %q", file, want)
		}
	})
}
