package projection_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"

	"consilience/projection"
)

// node is a JSON value that keeps the order, the duplicates and the spelling of
// what it was read from, so that a test can write any hostile form of it.
type node struct {
	literal string   // of a scalar, as it is written
	names   []string // of an object, as they are written, quotes included
	values  []*node  // of an object or array
	kind    byte     // '{', '[' or 0
}

func tree(t testing.TB, data []byte) *node {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	n := readNode(t, d)
	return n
}

func readNode(t testing.TB, d *json.Decoder) *node {
	t.Helper()
	token, err := d.Token()
	if err != nil {
		t.Fatal(err)
	}
	delim, ok := token.(json.Delim)
	if !ok {
		b, err := json.Marshal(token)
		if err != nil {
			t.Fatal(err)
		}
		return &node{literal: string(b)}
	}
	n := &node{kind: byte(delim)}
	for d.More() {
		if n.kind == '{' {
			name, err := d.Token()
			if err != nil {
				t.Fatal(err)
			}
			n.names = append(n.names, fmt.Sprintf("%q", name))
		}
		n.values = append(n.values, readNode(t, d))
	}
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	return n
}

func (n *node) String() string {
	if n.kind == 0 {
		return n.literal
	}
	var parts []string
	for i, v := range n.values {
		if n.kind == '{' {
			parts = append(parts, n.names[i]+":"+v.String())
		} else {
			parts = append(parts, v.String())
		}
	}
	return string(n.kind) + strings.Join(parts, ",") + string(n.kind+2)
}

// at finds a value by its path, "delivered.0.position".
func (n *node) at(path string) *node {
	for _, name := range strings.Split(path, ".") {
		i := n.index(name)
		if i < 0 {
			panic("no " + path)
		}
		n = n.values[i]
	}
	return n
}

func (n *node) index(name string) int {
	if n.kind == '[' {
		var i int
		fmt.Sscan(name, &i)
		return i
	}
	return slices.Index(n.names, `"`+name+`"`)
}

// parent finds the object that holds path, and the member's index in it.
func (n *node) parent(path string) (*node, int) {
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return n, n.index(path)
	}
	p := n.at(path[:i])
	return p, p.index(path[i+1:])
}

func (n *node) set(path, literal string) { *n.at(path) = node{literal: literal} }

func (n *node) remove(path string) {
	p, i := n.parent(path)
	p.values = slices.Delete(p.values, i, i+1)
	if p.kind == '{' {
		p.names = slices.Delete(p.names, i, i+1)
	}
}

func (n *node) duplicate(path string) {
	p, i := n.parent(path)
	again := *p.values[i]
	p.values = append(p.values, &again)
	if p.kind == '{' {
		p.names = append(p.names, p.names[i])
	}
}

// paths are all places below n, objects and arrays included, and whether each is a
// leaf.
func (n *node) paths(prefix string, visit func(path string, leaf bool)) {
	for i, v := range n.values {
		name := fmt.Sprint(i)
		if n.kind == '{' {
			name = strings.Trim(n.names[i], `"`)
		}
		visit(prefix+name, v.kind == 0)
		v.paths(prefix+name+".", visit)
	}
}

// sign signs a record again with the genuine key, over whatever canonical form its
// present bytes have; ok is false for bytes that have none.
func sign(t testing.TB, record []byte) (signed []byte, ok bool) {
	t.Helper()
	var members map[string]any
	if json.Unmarshal(record, &members) != nil {
		return nil, false
	}
	proof, isObject := members["proof"].(map[string]any)
	delete(members, "proof")
	plain, err := json.Marshal(members)
	if err != nil || !isObject {
		return nil, false
	}
	canonical, err := jcs.Transform(plain)
	if err != nil {
		return nil, false
	}
	message := append([]byte(projection.Version+"\x00"), canonical...)
	signature := base64.RawURLEncoding.EncodeToString(ed25519.Sign(adapterKey(), message))
	if _, has := proof["signature_b64u"]; !has {
		return nil, false
	}
	n := tree(t, record)
	n.set("proof.signature_b64u", `"`+signature+`"`)
	return []byte(n.String()), true
}

// resign is sign for records that must have a canonical form.
func resign(t testing.TB, record []byte) []byte {
	t.Helper()
	signed, ok := sign(t, record)
	if !ok {
		t.Fatalf("cannot sign %s", record)
	}
	return signed
}

// edit changes the record's members by path and literal, and signs again.
func (b *bench) edit(t testing.TB, changes ...string) {
	t.Helper()
	n := tree(t, b.record)
	for i := 0; i < len(changes); i += 2 {
		n.set(changes[i], changes[i+1])
	}
	b.record = resign(t, []byte(n.String()))
}
