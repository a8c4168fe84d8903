package agent

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"consilience/agent/claims"
	"consilience/bus"
	"consilience/command"
	"consilience/fleet"
	"consilience/identity"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

// claimsPerDelta is the number of claims in one delta of a source: small enough
// that one refusal takes few with it, large enough that signatures cost little.
const claimsPerDelta = 200

// Source is a source of claims and what it says.
type Source struct {
	Name   string
	Claims []claims.Claim
}

// BySource groups claims by their source, sources in the order of their first
// claim, after [CheckClaims]. It returns [reason.NameInvalid], naming the line,
// for a source whose name no contributor may have.
func BySource(all []claims.Claim) ([]Source, error) {
	if err := CheckClaims(all); err != nil {
		return nil, err
	}
	index := map[string]int{}
	var sources []Source
	for _, c := range all {
		i, known := index[c.Source]
		if !known {
			if err := command.CheckName(c.Source); err != nil {
				return nil, onLine(c.Line, err)
			}
			i = len(sources)
			index[c.Source] = i
			sources = append(sources, Source{Name: c.Source})
		}
		sources[i].Claims = append(sources[i].Claims, c)
	}
	return sources, nil
}

// CheckClaims refuses claims that no store would take with
// [reason.ContentInvalid], naming the line. It changes nothing.
func CheckClaims(all []claims.Claim) error {
	for _, c := range all {
		if _, err := record.Canonical(record.Structured, c.Content()); err != nil {
			return onLine(c.Line, err)
		}
	}
	return nil
}

// Source opens the home of a source, HOME/sources/NAME, and makes it if there is
// none: an identity of its own, since the children of one importer would be one
// voice. It is bound to the store of h.
func (h *Home) Source(name string) (*Home, error) {
	binding, err := h.Binding()
	if err != nil {
		return nil, err
	}
	store, err := h.Store()
	if err != nil {
		return nil, err
	}
	o := h.options
	o.Name = name
	o.Limits.Entries = claimsPerDelta
	dir := filepath.Join(h.dir, SourcesFolder, folderOf(name))
	source, err := Open(dir, o)
	if reason.Of(err) == reason.NotFound {
		source, err = Create(dir, o)
	}
	if err != nil {
		return nil, err
	}
	if err := source.Bind(store, binding.NATS); err != nil {
		return nil, errors.Join(err, source.Close())
	}
	return source, nil
}

// folderOf is the name of a source's folder: the source's own name where every
// file system keeps it apart from others, else a readable part of it and the
// beginning of its hash.
func folderOf(name string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '_'
	}, name)
	if plain == name && !strings.HasPrefix(name, ".") {
		return name
	}
	hash := wire.Hash([]byte(name))
	return strings.TrimLeft(plain, ".") + "-" + hex.EncodeToString(hash[:4])
}

// RememberClaims writes claims for space, all of them or none. A claim that is
// there already, or twice in the table, is written once.
func (h *Home) RememberClaims(ctx context.Context, all []claims.Claim, space string, base uint32) (Imported, error) {
	drafts := make([]Draft, len(all))
	for i, c := range all {
		drafts[i] = Draft{Kind: record.Structured, Content: c.Content(), Base: base}
	}
	written, err := h.RememberAll(ctx, space, drafts)
	if err != nil {
		return Imported{}, err
	}
	n := Imported{Read: len(written)}
	for _, w := range written {
		if w.Already {
			n.Already++
		} else {
			n.Written++
		}
	}
	return n, nil
}

// Enrolment is the message with which an operator enrolls the contributor of h for
// space as well, or false where the fleet has it enrolled for the space already. What
// else is in force of its enrolment stays.
func (h *Home) Enrolment(operator identity.PrivateKey, v fleet.View, space string) (bus.Msg, bool, error) {
	b, err := h.Binding()
	if err != nil {
		return bus.Msg{}, false, err
	}
	e := command.Enroll{Key: h.key.Public(), Name: b.Name}
	if _, owner, _, known := v.Key(e.Key.KeyID()); known {
		c, _ := v.Contributor(owner)
		if slices.Contains(c.Spaces, space) {
			return bus.Msg{}, false, nil
		}
		e.Name, e.Spaces, e.Vouched, e.Origin = c.Name, slices.Clone(c.Spaces), c.Vouched, c.Origin
	}
	e.Spaces = append(e.Spaces, space)
	store, err := h.Store()
	if err != nil {
		return bus.Msg{}, false, err
	}
	c := command.Command{Kind: command.KindEnroll, Store: store, Body: e}
	if _, err := io.ReadFull(h.options.Rand, c.Nonce[:]); err != nil {
		return bus.Msg{}, false, err
	}
	if err := c.Check(); err != nil {
		return bus.Msg{}, false, err
	}
	subject := command.SubjectFor(command.KindEnroll, "", operator.Public().ID())
	return bus.Msg{Subject: subject, Data: command.Seal(c, operator)}, true, nil
}
