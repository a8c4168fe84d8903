// Package wiretest keeps the vectors by which an independent client checks
// itself against this build, and holds the build to them: each package that has a
// form on the wire writes its vectors with "go test -update" into testdata.
package wiretest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"consilience/reason"
)

var update = flag.Bool("update", false, "write the vectors in testdata anew")

// Vector is one message and what is to be made of it.
type Vector struct {
	Name   string      `json:"name"`
	Seed   string      `json:"seed,omitempty"`   // of the signing key, hex
	Fields any         `json:"fields,omitempty"` // what is encoded, for people
	ID     string      `json:"id,omitempty"`     // the id or digest that it has
	Hex    string      `json:"hex"`              // the encoded message
	Reason reason.Code `json:"reason,omitempty"` // why it is refused; accepted if there is none
}

// Bytes is the encoded message.
func (v Vector) Bytes(t testing.TB) []byte {
	t.Helper()
	b, err := hex.DecodeString(v.Hex)
	if err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	return b
}

// Golden fails t unless the file holds exactly vectors; with -update it writes
// them.
func Golden(t *testing.T, file string, vectors []Vector) {
	t.Helper()
	got, err := json.MarshalIndent(vectors, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		write(t, file, got)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	var before []Vector
	if err := json.Unmarshal(want, &before); err != nil {
		t.Fatal(err)
	}
	if len(before) != len(vectors) {
		t.Fatalf("%s holds %d vectors, there are %d", file, len(before), len(vectors))
	}
	for i, v := range vectors {
		if before[i].Name != v.Name || before[i].Hex != v.Hex || before[i].ID != v.ID || before[i].Reason != v.Reason {
			t.Errorf("%s: %q is not what it was", file, v.Name)
		}
	}
	t.Errorf("%s is not what the build makes", file)
}

func write(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Refused runs open on each vector and fails t unless it is refused for the
// vector's reason.
func Refused(t *testing.T, vectors []Vector, open func([]byte) error) {
	t.Helper()
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			if err := open(v.Bytes(t)); reason.Of(err) != v.Reason || v.Reason == "" {
				t.Errorf("got %v, want %s", err, v.Reason)
			}
		})
	}
}

// Shared returns the path of a file in ../shared, which holds published vectors
// and lies beside the repository. It skips t where there is none.
func Shared(t testing.TB, path string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		file := filepath.Join(dir, "shared", path)
		if _, err := os.Stat(file); err == nil {
			return file
		}
		if dir == filepath.Dir(dir) {
			t.Skipf("no shared/%s beside the repository: published vectors not run", path)
		}
		dir = filepath.Dir(dir)
	}
}

// ReadJSON decodes the JSON file in ../shared into v; see [Shared].
func ReadJSON(t testing.TB, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(Shared(t, path))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatal(err)
	}
}
