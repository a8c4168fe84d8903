// Package registry makes projections usable once: implementations of
// projection.Registry for a process and for a machine.
package registry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"consilience/projection"
	"consilience/reason"
)

// File registers uses in a folder, one file for each, named by the hash of the
// projection id. Creating the file is the registration: the file system lets exactly
// one of any number of processes do it, and a use whose process died before it could
// say so stays used. The folder holds no content and no id in clear.
type File struct{ dir string }

// floorFile holds the instant up to which uses were forgotten.
const floorFile = "floor"

// useSuffix ends the name of a use's file.
const useSuffix = ".use"

// OpenFile returns the registry in dir and creates the folder, mode 0700, if there
// is none.
func OpenFile(dir string) (*File, error) {
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = syncDir(filepath.Dir(dir)) // else a crash could take the folder, and all uses with it
	}
	if err != nil {
		return nil, reason.Wrap(reason.NotFound, err, "no folder for the register of uses")
	}
	return &File{dir}, nil
}

// Register implements [projection.Registry]. It returns after the file and the
// folder's entry for it were written to stable storage. A record that was created
// before the instant up to which uses were forgotten is refused as a replay: its use
// may be among them.
func (f *File) Register(ctx context.Context, use projection.Use) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	name := sha256.Sum256([]byte(use.ProjectionID))
	path := filepath.Join(f.dir, hex.EncodeToString(name[:])+useSuffix)
	err := writeNew(path, use.Until)
	if errors.Is(err, fs.ErrExist) {
		return replay()
	}
	if err != nil {
		return err
	}
	// After the file: a Prune that moves the floor from here on sees the use, and one
	// that moved it before is seen here.
	floor, err := f.floor()
	if err != nil {
		return err
	}
	if use.Created.Before(floor) {
		return replay()
	}
	return syncDir(f.dir)
}

// Prune forgets uses of records that were stale before at, and refuses records created
// before at from now on: neither a clock that runs backwards nor a longer limit revives
// what was forgotten. at lies at least the longest limit of any relying party in the
// past, or fresh records are refused. The floor is raised first, durably.
func (f *File) Prune(at time.Time) error {
	floor, err := f.floor()
	if err != nil {
		return err
	}
	if at.After(floor) {
		if err := f.raise(at); err != nil {
			return err
		}
	}
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := f.forget(e.Name(), at); err != nil {
			return err
		}
	}
	return syncDir(f.dir)
}

// forget removes one use if its record was stale before at. A file without a
// readable instant, from a process that died, is kept.
func (f *File) forget(name string, at time.Time) error {
	if !strings.HasSuffix(name, useSuffix) {
		return nil
	}
	path := filepath.Join(f.dir, name)
	until, err := readTime(path)
	if err != nil || !until.Before(at) {
		return nil
	}
	return os.Remove(path)
}

// floor is the instant of the last Prune, the zero time before the first.
func (f *File) floor() (time.Time, error) {
	at, err := readTime(filepath.Join(f.dir, floorFile))
	if errors.Is(err, fs.ErrNotExist) {
		return time.Time{}, nil
	}
	return at, err
}

// raise replaces the floor in one step.
func (f *File) raise(at time.Time) error {
	next, err := os.CreateTemp(f.dir, floorFile+".*")
	if err != nil {
		return err
	}
	if err := writeTime(next, at); err != nil {
		return err
	}
	if err := os.Rename(next.Name(), filepath.Join(f.dir, floorFile)); err != nil {
		return err
	}
	return syncDir(f.dir)
}

// writeNew creates path, which must not exist, and puts an instant into it.
func writeNew(path string, at time.Time) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return writeTime(file, at)
}

// writeTime writes an instant to stable storage and closes the file.
func writeTime(file *os.File, at time.Time) error {
	_, err := file.WriteString(at.UTC().Format(time.RFC3339Nano) + "\n")
	return errors.Join(err, file.Sync(), file.Close())
}

func readTime(path string) (time.Time, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return time.Time{}, err
	}
	return time.Parse(time.RFC3339Nano, strings.TrimSpace(string(b)))
}

// syncDir makes the folder's entries durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// replay is the refusal of a second use.
func replay() error {
	return reason.New(projection.ProjectionReplay, "the projection was used before").
		Advise("ask the adapter for a new projection")
}
