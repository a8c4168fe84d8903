package ijson

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"
)

// decided are the documents of JSONTestSuite on which I-JSON, or our own refusal
// of U+0000 and of numbers that do not survive, decides otherwise than by name.
// Every i_ document that is not here is refused.
var decided = map[string]bool{
	"i_structure_500_nested_arrays.json": true, // the nesting allowed here is MaxNesting

	"y_object_duplicated_key.json":               false,
	"y_object_duplicated_key_and_value.json":     false,
	"y_object_escaped_null_in_key.json":          false,
	"y_string_null_escape.json":                  false,
	"y_string_last_surrogates_1_and_2.json":      false,
	"y_string_escaped_noncharacter.json":         false,
	"y_string_nonCharacterInUTF-8_U+10FFFF.json": false,
	"y_string_nonCharacterInUTF-8_U+FFFF.json":   false,
	"y_string_unicode_U+10FFFE_nonchar.json":     false,
	"y_string_unicode_U+1FFFE_nonchar.json":      false,
	"y_string_unicode_U+FDD0_nonchar.json":       false,
	"y_string_unicode_U+FFFE_nonchar.json":       false,
}

func TestJSONTestSuite(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(shared(t, "vectors/jsontestsuite"), "test_parsing", "*.json"))
	if err != nil || len(files) < 300 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	seen := 0
	for _, file := range files {
		name := filepath.Base(file)
		want, special := decided[name]
		if special {
			seen++
		} else {
			want = strings.HasPrefix(name, "y_")
		}
		if err := Check(read(t, file), Options{}); (err == nil) != want {
			t.Errorf("%s: accepted %v, want %v: %v", name, err == nil, want, err)
		}
	}
	if seen != len(decided) {
		t.Errorf("%d of %d decided documents are in the suite", seen, len(decided))
	}
}

// N-24: the vectors by the author of RFC 8785.
func TestRFC8785(t *testing.T) {
	dir := filepath.Join(shared(t, "vectors/jcs-rfc8785"), "testdata")
	files, err := filepath.Glob(filepath.Join(dir, "input", "*.json"))
	if err != nil || len(files) != 6 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		in, out := read(t, file), read(t, filepath.Join(dir, "output", name))
		if err := Check(in, Options{}); err != nil {
			t.Errorf("%s, input: %v", name, err)
		}
		if err := CheckCanonical(in, Options{}); err == nil {
			t.Errorf("%s, input: passes as canonical", name)
		}
		if err := CheckCanonical(out, Options{}); err != nil {
			t.Errorf("%s, output: %v", name, err)
		}
	}
}

// Every number of the published sequence has the published form, in it passes as
// canonical, and is refused exactly if it is an integer that does not survive.
func TestES6Numbers(t *testing.T) {
	file, err := os.Open(filepath.Join(shared(t, "vectors/jcs-es6-numbers"), "es6testfile10k.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	n := 0
	for lines := bufio.NewScanner(file); lines.Scan(); n++ {
		hex, want, _ := strings.Cut(lines.Text(), ",")
		bits, err := strconv.ParseUint(hex, 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		f := math.Float64frombits(bits)
		if got := string(appendNumber(nil, f)); got != want {
			t.Errorf("%s: got %s, want %s", hex, got, want)
		}
		survives := math.Abs(f) <= MaxInteger || math.Abs(f) >= integersUpTo
		if err := CheckCanonical([]byte(want), Options{}); (err == nil) != survives {
			t.Errorf("%s: %v", want, err)
		}
	}
	if n != 10_000 {
		t.Errorf("%d lines", n)
	}
}

// agree holds the two implementations against each other: a document is canonical
// for the walker exactly if it is I-JSON and the canonicaliser returns it as it is.
func agree(t *testing.T, document []byte) {
	t.Helper()
	strict, canonical := Check(document, Options{}), CheckCanonical(document, Options{})
	if strict != nil {
		if canonical == nil {
			t.Fatalf("%q is canonical and not I-JSON: %v", document, strict)
		}
		return
	}
	form, err := jcs.Transform(document)
	if err != nil {
		t.Fatalf("%q is I-JSON and has no canonical form: %v", document, err)
	}
	if bytes.Equal(form, document) != (canonical == nil) {
		t.Fatalf("%q: canonical form %q, walker says %v", document, form, canonical)
	}
	if err := CheckCanonical(form, Options{}); err != nil {
		t.Fatalf("%q: canonical form %q is refused: %v", document, form, err)
	}
}

func FuzzIJSON(f *testing.F) {
	for _, d := range documents {
		f.Add([]byte(d.document))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		agree(t, document)
		View(document).Fields([]string{"a"}, "b")
		Nesting(document)
	})
}
