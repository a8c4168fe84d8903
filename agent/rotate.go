package agent

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"consilience/identity"
	"consilience/reason"
)

// Files of a rotation that is under way.
const (
	NextKeyFile    = "next.key"        // the secret of the key to come, mode 0600
	NextPublicFile = "next-public.key" // what an operator needs to rotate to it
)

// NextKey makes the key to come, or finds the one that was made, and returns the
// path of its public half. Nothing changes until an operator has rotated to it and
// [Home.Rotate] takes it into use.
func (h *Home) NextKey() (string, error) {
	public := filepath.Join(h.dir, NextPublicFile)
	if _, err := os.Stat(filepath.Join(h.dir, NextKeyFile)); err == nil {
		return public, nil
	}
	key, err := identity.GenerateKey(h.options.Rand)
	if err != nil {
		return "", err
	}
	if err := writeFile(public, identity.MarshalPublic(key.Public())); err != nil {
		return "", err
	}
	return public, writeFile(filepath.Join(h.dir, NextKeyFile), identity.MarshalPrivate(key))
}

// Rotate takes the key to come into use, once the log has the operator's rotation
// to it: what is signed with a key before that is refused, and so is what is still
// in the outbox after it. The id stays. It returns [reason.NotFound] without a key
// to come.
func (h *Home) Rotate() error {
	next := filepath.Join(h.dir, NextKeyFile)
	file, err := os.ReadFile(next)
	if errors.Is(err, fs.ErrNotExist) {
		return reason.New(reason.NotFound, "no key to come").On(h.dir).Advise("make it with: contributor rotate")
	}
	if err != nil {
		return reason.Wrap(reason.UsageError, err, "key file cannot be read").On(next)
	}
	key, err := identity.ParsePrivate(file)
	if err != nil {
		return reason.Wrap(reason.Of(err), err, "key file does not read").On(next)
	}
	if err := os.Rename(next, filepath.Join(h.dir, PrivateKeyFile)); err != nil {
		return reason.Wrap(reason.UsageError, err, "key file cannot be moved").On(next)
	}
	h.key = key
	return os.Remove(filepath.Join(h.dir, NextPublicFile))
}

func readPublic(path string) (identity.PublicKey, error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return identity.PublicKey{}, reason.Wrap(reason.UsageError, err, "public key file cannot be read").On(path)
	}
	key, err := identity.ParsePublic(file)
	if err != nil {
		return key, reason.Wrap(reason.Of(err), err, "public key file does not read").On(path)
	}
	return key, nil
}
