package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"consilience/identity"
	"consilience/internal/testkit"
	"consilience/projection"
	"consilience/projection/apertomemory"
)

// exhibit is a record with its material, as somebody else sent them, and what the
// relying party holds against them.
type exhibit struct {
	record, projection, request, selection, snapshot []byte
	objects, fragments                               [][]byte
	policy                                           projection.Policy
	keyring                                          []byte // the file; nil for a record and its projection alone
	registry                                         string // folder of used projections, "" for none
}

// verify runs verify-projection on files of the exhibit and returns the exit status
// and the document that it prints.
func (x exhibit) verify(t *testing.T) (status int, printed verdict) {
	t.Helper()
	status, out, stderr := x.run(t, "--json")
	if err := json.Unmarshal([]byte(out), &printed); err != nil {
		t.Fatalf("%v: %s%s", err, out, stderr)
	}
	return status, printed
}

func (x exhibit) run(t *testing.T, more ...string) (status int, out, stderr string) {
	t.Helper()
	dir := t.TempDir()
	args := []string{"verify-projection"}
	add := func(flag string, content []byte) {
		path := filepath.Join(dir, fmt.Sprint(len(args)))
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, flag, path)
	}
	add("--record", x.record)
	add("--projection", x.projection)
	add("--policy", x.policy.File())
	if x.keyring != nil {
		add("--request", x.request)
		add("--selection", x.selection)
		add("--snapshot", x.snapshot)
		add("--keyring", x.keyring)
	}
	for _, object := range x.objects {
		add("--object", object)
	}
	for _, fragment := range x.fragments {
		add("--fragment", fragment)
	}
	if x.registry != "" {
		args = append(args, "--registry", x.registry)
	}
	var stdout, errors bytes.Buffer
	status = Main{}.Run(context.Background(), append(args, more...), bytes.NewReader(nil), &stdout, &errors)
	return status, stdout.String(), errors.String()
}

// century is a limit that no clock of a machine that runs this test comes near to:
// the published record is of July 2026 for ever.
const century = 99 * 365 * 24 * time.Hour

// relying is a policy that pins the published adapter for long.
func relying(t *testing.T, adapter projection.Adapter) projection.Policy {
	t.Helper()
	key := identity.PublicKey(adapterKey().Public().(ed25519.PublicKey))
	return projection.Policy{
		Pins: []projection.Pin{{
			AdapterID: adapter.ID, KeyID: adapter.KeyID, Key: key, Status: projection.Active,
			ValidFrom: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), ValidTo: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC),
		}},
		Freshness: projection.Freshness{MaxCreationAge: century, MaxTrustAge: century, MaxTrustToCreation: time.Hour},
		Profiles:  []projection.Profile{{Source: apertomemory.SourceProfile, Frame: apertomemory.FrameProfile}},
	}
}

// adapterKey is the published test key, made of a public label.
func adapterKey() ed25519.PrivateKey {
	seed := sha256.Sum256([]byte("apertomemory-emilia/v0/adapter"))
	return ed25519.NewKeyFromSeed(seed[:])
}

// Keys of the published objects, hex; all objects have one data key.
const (
	ownerKey  = "927c69e5f6d735d057fb1f156436a0b67a2d053df693e03dbee2dff50cf42b19"
	authorKey = "31f646bd8dc5aea4fbc52456b5369f86bf58165b6f701196331efc96a415725a"
	authorID  = "d05309cbd3b55f3b"
	dataKey   = "2b7e151628aed2a6abf7158809cf4f3c762e7160f38b4da56a784d9045190cfe"
)

// objectIDs are those of the published objects; 005 pretends to be another one.
var objectIDs = []string{"a0a1a2a3a4a5a6a7a8a9aaabacadaeaf", "b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0"}

// keyringFile is a keyring that opens the published objects.
func keyringFile(t *testing.T, accepted, unverified bool) []byte {
	t.Helper()
	type object = map[string]any
	keys, data := []object{}, []object{}
	if accepted {
		keys = append(keys, object{"key_id": authorID, "public_key": unpadded(fromHex(t, authorKey))})
	}
	for _, id := range objectIDs {
		data = append(data, object{"object_id": id, "key": unpadded(fromHex(t, dataKey))})
	}
	file, err := json.Marshal(object{
		"owner": unpadded(fromHex(t, ownerKey)), "accepted": keys, "object_keys": data, "allow_unverified": unverified,
	})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func unpadded(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func fromUnpadded(t *testing.T, s string) []byte {
	t.Helper()
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func fromHex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// readShared reads a published set.
func readShared(t *testing.T, name string, into any) {
	t.Helper()
	raw, err := os.ReadFile(testkit.Shared(t, "vectors/"+name))
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}
