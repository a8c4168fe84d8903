package main

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"consilience/identity"
	"consilience/reason"
)

const (
	operatorKeyFile = "operator.key"
	serviceKeyFile  = "service.key"
)

// loadOrMakeKey reads the private key in file, or makes one there, mode 0600.
func loadOrMakeKey(file string) (identity.PrivateKey, error) {
	key, err := readKey(file)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	return makeKey(file)
}

// makeKey makes a private key in file, mode 0600, and its public half beside it.
// It never overwrites.
func makeKey(file string) (identity.PrivateKey, error) {
	key, err := identity.GenerateKey(rand.Reader)
	if err != nil {
		return key, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return key, err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return key, reason.Wrap(reason.UsageError, err, "cannot make the key").On(file)
	}
	if _, err := f.Write(identity.MarshalPrivate(key)); err != nil {
		f.Close()
		return key, err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return key, err
	}
	return key, os.WriteFile(file+".pub", identity.MarshalPublic(key.Public()), 0o644)
}
