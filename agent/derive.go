package agent

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"consilience/command"
	"consilience/identity"
	"consilience/reason"
)

// DeriveFile holds a derivation that the store may not have yet, signed by all.
const DeriveFile = "derive.cbor"

// Derive makes a home in dir for a contributor derived from parents, which are
// homes of one store: the lineage is signed by each parent and by the child
// (N-57) and kept in the child's folder until [Session.SendDerivation] has brought
// it to the log. A derivation that is still kept there is left as it is, so that
// an interrupted one goes on. It returns [reason.AlreadyKnown] for a folder where
// another contributor lives, [reason.UsageError] without a parent.
func Derive(dir string, o Options, parents ...*Home) (*Home, error) {
	if len(parents) == 0 {
		return nil, reason.New(reason.UsageError, "a derived contributor has a parent")
	}
	if _, err := os.Stat(filepath.Join(dir, DeriveFile)); err == nil {
		return Open(dir, o)
	}
	if err := command.CheckName(o.Name); err != nil {
		return nil, err
	}
	binding, err := parents[0].Binding()
	if err != nil {
		return nil, err
	}
	store, err := parents[0].Store()
	if err != nil {
		return nil, err
	}
	child, err := Create(dir, o)
	if err != nil {
		return nil, err
	}
	err = errors.Join(child.Bind(store, binding.NATS), child.signDerivation(store, parents))
	if err != nil {
		return nil, errors.Join(err, child.Close())
	}
	return child, nil
}

func (h *Home) signDerivation(store [32]byte, parents []*Home) error {
	binding, err := h.Binding()
	if err != nil {
		return err
	}
	body := command.Derive{Child: h.key.Public(), Name: binding.Name}
	keys := []identity.PrivateKey{h.key}
	for _, p := range parents {
		body.Parents = append(body.Parents, p.ID())
		keys = append(keys, p.key)
	}
	c := command.Command{Kind: command.KindDerive, Store: store, Body: body}
	if _, err := io.ReadFull(h.options.Rand, c.Nonce[:]); err != nil {
		return err
	}
	if err := c.Check(); err != nil {
		return err
	}
	return writeFile(filepath.Join(h.dir, DeriveFile), command.Seal(c, keys...))
}

// SendDerivation hands the derivation that the home keeps to the service, which
// puts it on the log, and drops it then. It reports false for a home that keeps
// none. It returns the service's refusal, such as [reason.ParentUnknown] or
// [reason.NameTaken].
func (s *Session) SendDerivation(ctx context.Context) (bool, error) {
	path := filepath.Join(s.home.dir, DeriveFile)
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, reason.Wrap(reason.UsageError, err, "derivation cannot be read").On(path)
	}
	_, err = s.ask(ctx, command.VerbDerive, "", command.DeriveRequest{Command: raw})
	if err != nil && reason.Of(err) != reason.AlreadyKnown && reason.Of(err) != reason.Duplicate {
		return false, err
	}
	return true, os.Remove(path)
}
