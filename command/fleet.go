package command

import (
	"bytes"
	"slices"

	"consilience/identity"
	"consilience/reason"
	"consilience/wire"
)

// maxKeys is the largest number of keys, or of parents, in one fact.
const maxKeys = 64

// Genesis founds a store: it lists the first operator and service keys.
type Genesis struct {
	Operators []identity.PublicKey `cbor:"1,keyasint"` // a set, at least one
	Services  []identity.PublicKey `cbor:"2,keyasint"` // a set, at least one
	Threshold uint64               `cbor:"3,keyasint"` // operators' signatures that an operators fact needs, from 1
}

func (g Genesis) check() error {
	if len(g.Operators) == 0 || len(g.Services) == 0 {
		return reason.New(reason.OutOfRange, "a store needs an operator key and a service key")
	}
	if err := checkKeys(g.Operators, g.Services); err != nil {
		return err
	}
	return wire.CheckRange("threshold", g.Threshold, 1, uint64(len(g.Operators)))
}

func (g Genesis) sorted() checked {
	g.Operators, g.Services = sortedSet(g.Operators), sortedSet(g.Services)
	return g
}

// checkSigner returns [reason.SignerNotOperator] unless signer is one of the
// operators listed.
func (g Genesis) checkSigner(signer identity.KeyID) error {
	if !slices.ContainsFunc(g.Operators, func(k identity.PublicKey) bool { return k.KeyID() == signer }) {
		return reason.New(reason.SignerNotOperator, "genesis is not signed by an operator that it lists")
	}
	return nil
}

// Roles of keys in an [Operators] fact.
const (
	RoleOperator = "operator"
	RoleService  = "service"
)

// Operators adds and removes operator or service keys.
type Operators struct {
	Role   string               `cbor:"1,keyasint"` // [RoleOperator] or [RoleService]
	Add    []identity.PublicKey `cbor:"2,keyasint"` // a set
	Remove []identity.PublicKey `cbor:"3,keyasint"` // a set, none of Add
}

func (o Operators) check() error {
	if o.Role != RoleOperator && o.Role != RoleService {
		return reason.New(reason.Malformed, "role is neither %s nor %s", RoleOperator, RoleService)
	}
	if len(o.Add)+len(o.Remove) == 0 {
		return reason.New(reason.OutOfRange, "no key is added or removed")
	}
	return checkKeys(o.Add, o.Remove)
}

func (o Operators) sorted() checked {
	o.Add, o.Remove = sortedSet(o.Add), sortedSet(o.Remove)
	return o
}

// checkKeys checks two sets of keys that have none in common.
func checkKeys(a, b []identity.PublicKey) error {
	for _, set := range [][]identity.PublicKey{a, b} {
		if err := checkSet("key", maxKeys, set, compareBytes); err != nil {
			return err
		}
		for _, k := range set {
			if err := k.Check(); err != nil {
				return err
			}
		}
	}
	for _, k := range a {
		if slices.Contains(b, k) {
			return reason.New(reason.NamedTwice, "a key is named twice")
		}
	}
	return nil
}

// Space creates a space. Its name is never used again.
type Space struct {
	Name   string `cbor:"1,keyasint"`
	Policy Policy `cbor:"2,keyasint"`
}

func (s Space) check() error { return checkPolicy(s.Name, s.Policy) }

// PolicyChange gives a space another policy, for the entries after it.
type PolicyChange struct {
	Space  string `cbor:"1,keyasint"`
	Policy Policy `cbor:"2,keyasint"`
}

func (p PolicyChange) check() error { return checkPolicy(p.Space, p.Policy) }

func checkPolicy(space string, p Policy) error {
	if err := wire.SpaceName(space); err != nil {
		return err
	}
	return p.Validate()
}

// compareBytes is the bytewise order of 32-byte values.
func compareBytes[T ~[32]byte](a, b T) int {
	x, y := [32]byte(a), [32]byte(b)
	return bytes.Compare(x[:], y[:])
}

// sortedSet is a copy of s in bytewise order.
func sortedSet[T ~[32]byte](s []T) []T {
	s = slices.Clone(s)
	slices.SortFunc(s, compareBytes)
	return s
}

// checkSet checks that a set stands in order, each element once, and has at most
// limit of them: [reason.NamedTwice], [reason.NotCanonical],
// [reason.OutOfRange].
func checkSet[T any](what string, limit int, s []T, compare func(a, b T) int) error {
	if len(s) > limit {
		return reason.New(reason.OutOfRange, "more than %d of %s", limit, what)
	}
	for i := 1; i < len(s); i++ {
		switch c := compare(s[i-1], s[i]); {
		case c == 0:
			return reason.New(reason.NamedTwice, "a %s is named twice", what)
		case c > 0:
			return reason.New(reason.NotCanonical, "a set of %s is not in bytewise order", what)
		}
	}
	return nil
}
