package identity_test

import (
	"bytes"
	"strings"
	"testing"

	"consilience/identity"
	"consilience/reason"
)

func TestKeyFiles(t *testing.T) {
	k := key(t, 3)
	public, err := identity.ParsePublic(identity.MarshalPublic(k.Public()))
	if err != nil || public != k.Public() {
		t.Errorf("public key file gives back %v, %v", public, err)
	}
	private, err := identity.ParsePrivate(identity.MarshalPrivate(k))
	if err != nil || !bytes.Equal(private.Seed(), k.Seed()) {
		t.Errorf("private key file does not give back its key: %v", err)
	}
	if _, err := identity.ParsePublic(bytes.TrimSuffix(identity.MarshalPublic(k.Public()), []byte("\n"))); err != nil {
		t.Errorf("without the last line feed: %v", err)
	}
}

func TestKeyFilesAreStrict(t *testing.T) {
	k := key(t, 3)
	public, private := string(identity.MarshalPublic(k.Public())), string(identity.MarshalPrivate(k))
	for name, file := range map[string]string{
		"empty":           "",
		"other kind":      private,
		"two lines":       public + public,
		"two line feeds":  public + "\n",
		"carriage return": strings.Replace(public, "\n", "\r\n", 1),
		"leading blank":   " " + public,
		"no word":         strings.TrimPrefix(public, "nhe-ed25519 "),
		"truncated":       public[:len(public)-4],
	} {
		if _, err := identity.ParsePublic([]byte(file)); reason.Of(err) != reason.Malformed {
			t.Errorf("public, %s: got %v, want %s", name, err, reason.Malformed)
		}
	}
	if _, err := identity.ParsePublic([]byte("nhe-ed25519 " + strings.Repeat("A", 43) + "\n")); reason.Of(err) != reason.KeyInvalid {
		t.Errorf("a small-order key in a file: got %v, want %s", err, reason.KeyInvalid)
	}
}

// An error about a private key file repeats nothing of it.
func TestPrivateKeyFileStaysSecret(t *testing.T) {
	file := string(identity.MarshalPrivate(key(t, 5)))
	for _, broken := range []string{file[:len(file)-2], file + "x", strings.Replace(file, "-private", "", 1)} {
		_, err := identity.ParsePrivate([]byte(broken))
		if reason.Of(err) != reason.Malformed {
			t.Fatalf("got %v, want %s", err, reason.Malformed)
		}
		if strings.Contains(err.Error(), "BQUF") {
			t.Errorf("the error shows the key: %v", err)
		}
	}
}
