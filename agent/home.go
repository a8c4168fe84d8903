package agent

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"consilience/agent/local"
	"consilience/delta"
	"consilience/identity"
	"consilience/reason"
	"consilience/record"
)

// Files of a home.
const (
	PrivateKeyFile = "private.key" // the secret, mode 0600: the current key
	PublicKeyFile  = "public.key"  // what an operator needs to enroll: the first key, which gives the id
	StoreFile      = "store.json"  // see [Binding]
	MemoryFile     = "memory.db"   // see package local
	SourcesFolder  = "sources"     // homes of the sources of an import
)

// Options are what a home takes from its surroundings.
type Options struct {
	// Name is how the contributor calls itself. Defaults to none. Used by [Create].
	Name string
	// Rand is where keys and nonces come from. Defaults to crypto/rand.Reader.
	Rand io.Reader
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time
	// Limits are those of the spaces it pushes to. Defaults to delta.DefaultLimits.
	Limits delta.Limits
}

func (o Options) withDefaults() Options {
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Limits == (delta.Limits{}) {
		o.Limits = delta.DefaultLimits
	}
	return o
}

// Home is one contributor: its key, its local memory and its slices, in one
// folder. Its methods may be called from several goroutines.
type Home struct {
	dir     string
	options Options
	id      identity.ID
	key     identity.PrivateKey
	memory  *local.Memory
}

// Create makes a home in dir, which may exist: the folder has mode 0700 and the
// key files 0600 (N-67). It returns [reason.AlreadyKnown] if a contributor lives
// there. The private key is written last, so that a home is whole or not there.
func Create(dir string, o Options) (*Home, error) {
	o = o.withDefaults()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, reason.Wrap(reason.UsageError, err, "folder cannot be made").On(dir)
	}
	if _, err := os.Stat(filepath.Join(dir, PrivateKeyFile)); err == nil {
		return nil, reason.New(reason.AlreadyKnown, "a contributor lives here").On(dir).
			Advise("use it as it is, or choose another --home")
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return nil, reason.Wrap(reason.UsageError, err, "folder cannot be closed to others").On(dir)
	}
	key, err := identity.GenerateKey(o.Rand)
	if err != nil {
		return nil, err
	}
	if err := (Binding{Name: o.Name}).write(dir); err != nil {
		return nil, err
	}
	if err := writeFile(filepath.Join(dir, PublicKeyFile), identity.MarshalPublic(key.Public())); err != nil {
		return nil, err
	}
	memory, err := local.Open(filepath.Join(dir, MemoryFile))
	if err != nil {
		return nil, err
	}
	if err := writeFile(filepath.Join(dir, PrivateKeyFile), identity.MarshalPrivate(key)); err != nil {
		return nil, errors.Join(err, memory.Close())
	}
	return &Home{dir: dir, options: o, id: key.Public().ID(), key: key, memory: memory}, nil
}

// Open opens the home in dir. It returns [reason.NotFound] if there is none and
// [reason.UsageError] if others may read its key.
func Open(dir string, o Options) (*Home, error) {
	path := filepath.Join(dir, PrivateKeyFile)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, reason.New(reason.NotFound, "no contributor lives here").On(dir).Advise("run contributor init --home %s", dir)
	}
	if err != nil {
		return nil, reason.Wrap(reason.UsageError, err, "key file cannot be read").On(path)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, reason.New(reason.UsageError, "others may read the key, its mode is %04o", info.Mode().Perm()).
			On(path).Advise("chmod 600 %s", path)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, reason.Wrap(reason.UsageError, err, "key file cannot be read").On(path)
	}
	key, err := identity.ParsePrivate(file)
	if err != nil {
		return nil, reason.Wrap(reason.Of(err), err, "key file does not read").On(path)
	}
	first, err := readPublic(filepath.Join(dir, PublicKeyFile))
	if err != nil {
		return nil, err
	}
	memory, err := local.Open(filepath.Join(dir, MemoryFile))
	if err != nil {
		return nil, err
	}
	return &Home{dir: dir, options: o.withDefaults(), id: first.ID(), key: key, memory: memory}, nil
}

// Close closes the local memory.
func (h *Home) Close() error { return h.memory.Close() }

// Dir is the home's folder.
func (h *Home) Dir() string { return h.dir }

// ID is the contributor: the key id of its first key, which stays when keys rotate.
func (h *Home) ID() identity.ID { return h.id }

// Key is the contributor's current key.
func (h *Home) Key() identity.PrivateKey { return h.key }

// Get returns a record of the local memory.
func (h *Home) Get(ctx context.Context, id record.ID) (r record.Record, found bool, err error) {
	err = h.update(ctx, func(tx *local.Tx) (err error) {
		r, found, err = tx.Get(id)
		return err
	})
	return r, found, err
}

// Slice returns the slice that the local state of a space is derived from.
func (h *Home) Slice(ctx context.Context, space string) (s local.SliceHead, found bool, err error) {
	err = h.update(ctx, func(tx *local.Tx) (err error) {
		s, found, err = tx.Slice(space)
		return err
	})
	return s, found, err
}

// Waiting counts the signed messages for a space that the log may not have yet.
func (h *Home) Waiting(ctx context.Context, space string) (n int, err error) {
	err = h.update(ctx, func(tx *local.Tx) (err error) {
		n, _, err = tx.Waiting(space)
		return err
	})
	return n, err
}

// now is the time as records and deltas state it, Unix milliseconds.
func (h *Home) now() uint64 { return uint64(h.options.Now().UnixMilli()) }

// update runs f in a transaction of the local memory.
func (h *Home) update(ctx context.Context, f func(*local.Tx) error) error {
	return h.memory.Update(ctx, f)
}

// writeFile writes a file of mode 0600 whole or not at all.
func writeFile(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // mode 0600
	if err != nil {
		return reason.Wrap(reason.UsageError, err, "file cannot be written").On(path)
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return reason.Wrap(reason.UsageError, err, "file cannot be written").On(path)
	}
	return nil
}
