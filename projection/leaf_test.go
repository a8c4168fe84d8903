package projection_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"consilience/projection"
	"consilience/reason"
)

// types is one literal of every JSON type, with the hostile numbers of AP-2.
var types = []string{`null`, `true`, `{}`, `[]`, `"x"`, `""`, `0.5`, `-1`, `9007199254740992`, `1.0`, `1e0`, `-0`, `0.0`}

// free are the leaves that belong to the adapter alone: a genuine adapter may sign
// another id, or other times within the limits, and nobody can tell.
var free = []string{"projection_id", "created_at", "selection_context.trust_evaluated_at"}

// flips are values of the same JSON type.
func flips(literal string) []string {
	switch {
	case literal == "true", literal == "false":
		return []string{map[string]string{"true": "false", "false": "true"}[literal]}
	case literal == "null":
		return []string{`"AAAAAAAAAAE"`}
	case literal[0] == '"':
		return stringFlips(literal[1 : len(literal)-1])
	default:
		return []string{literal + "0", "1" + literal}
	}
}

// stringFlips change the first, the last and one inner character, the length and
// the case of a string.
func stringFlips(s string) []string {
	all := []string{swapped(s, 0), swapped(s, len(s)/2), swapped(s, len(s)-1), s + "a", s[1:], strings.ToUpper(s), s + " ", s + "\u0000"}
	for i := range all {
		all[i] = fmt.Sprintf("%q", all[i])
		all[i] = strings.ReplaceAll(all[i], `\x00`, `\u0000`)
	}
	return slices.DeleteFunc(all, func(v string) bool { return v == `"`+s+`"` })
}

func swapped(s string, i int) string {
	c := byte('7')
	if s[i] == c {
		c = '8'
	}
	return s[:i] + string(c) + s[i+1:]
}

// P-7, P-9, P-10, P-65, P-79, P-80, P-90, AP-16: every leaf of the record, flipped,
// retyped, nulled, removed or duplicated, is refused; without a new signature, and
// with one by the genuine key.
func TestEveryLeafIsBound(t *testing.T) {
	b := genuine(t)
	var forms int
	tree(t, b.record).paths("", func(path string, leaf bool) {
		for _, m := range mutationsOf(t, b.record, path, leaf) {
			forms++
			refused(t, *b, path, m)
		}
	})
	t.Logf("%d hostile forms", forms)
}

// hostile is one changed form of the record.
type hostile struct {
	what   string
	record string
	flip   bool
}

func mutationsOf(t *testing.T, record []byte, path string, leaf bool) (all []hostile) {
	with := func(what string, flip bool, change func(n *node)) {
		n := tree(t, record)
		change(n)
		all = append(all, hostile{what, n.String(), flip})
	}
	with("removed", false, func(n *node) { n.remove(path) })
	with("duplicated", false, func(n *node) { n.duplicate(path) })
	old := tree(t, record).at(path).String()
	for _, literal := range types {
		if sameType(literal, old) && literal[0] == '"' || literal == old {
			continue
		}
		with("retyped to "+literal, false, func(n *node) { n.set(path, literal) })
	}
	if leaf {
		for _, literal := range flips(old) {
			with("flipped to "+literal, true, func(n *node) { n.set(path, literal) })
		}
	}
	return all
}

func sameType(a, b string) bool { return a[0] == b[0] }

func refused(t *testing.T, b bench, path string, m hostile) {
	t.Helper()
	b.record = []byte(m.record)
	if err := b.verify(t); reason.Of(err) == "" {
		t.Errorf("%s %s, unsigned: %v", path, m.what, err)
	}
	signed, ok := sign(t, b.record)
	if !ok || path == "proof.signature_b64u" {
		return
	}
	b.record = signed
	err := b.verify(t)
	if err == nil && m.flip && slices.Contains(free, path) {
		return
	}
	if reason.Of(err) == "" {
		t.Errorf("%s %s, signed again: %v", path, m.what, err)
	}
}

// P-8: the order of members has no meaning, on any level.
func TestMemberOrderIsFree(t *testing.T) {
	b := genuine(t)
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		n := tree(t, b.record)
		shuffle(n, random)
		c := *b
		c.record = []byte(n.String())
		if err := c.verify(t); err != nil {
			t.Fatalf("%v: %s", err, c.record)
		}
	}
}

func shuffle(n *node, random *rand.Rand) {
	if n.kind == '{' {
		random.Shuffle(len(n.values), func(i, j int) {
			n.values[i], n.values[j] = n.values[j], n.values[i]
			n.names[i], n.names[j] = n.names[j], n.names[i]
		})
	}
	for _, v := range n.values {
		shuffle(v, random)
	}
}

// P-9: a member that this version does not define is refused in every object, also
// one whose name could pass for a known one: by case, by a Unicode case-fold twin,
// by a trailing NUL or blank.
func TestUnknownMembersAreRefused(t *testing.T) {
	b := genuine(t)
	tree(t, b.record).paths("", func(path string, _ bool) {
		n := tree(t, b.record)
		p, i := n.parent(path)
		if p.kind != '{' {
			return
		}
		for _, twin := range twins(strings.Trim(p.names[i], `"`)) {
			for _, mode := range []string{"beside", "instead"} {
				n := tree(t, b.record)
				p, i := n.parent(path)
				if mode == "beside" {
					p.names, p.values = append(p.names, twin), append(p.values, p.values[i])
				} else {
					p.names[i] = twin
				}
				if _, err := projection.Parse([]byte(n.String())); reason.Of(err) != projection.RecordInvalid {
					t.Errorf("%s %s %s: %v", twin, mode, path, err)
				}
			}
		}
	})
}

func twins(name string) []string {
	title := strings.ToUpper(name[:1]) + name[1:]
	names := []string{strings.ToUpper(name), title, name + `\u0000`, name + " ", " " + name, name + `\u00ad`,
		strings.Replace(name, "k", "\u212a", 1), strings.Replace(name, "s", "\u017f", 1)}
	var quoted []string
	for _, n := range names {
		if n != name {
			quoted = append(quoted, `"`+n+`"`)
		}
	}
	return quoted
}
