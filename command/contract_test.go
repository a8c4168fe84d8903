package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"consilience/wire/wiretest"
)

// The contract names every kind, every verb, every purpose, every member of a
// policy and every reason for which a vector is refused.
func TestContractIsComplete(t *testing.T) {
	contract, err := os.ReadFile("../docs/wire.cddl")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, e := range examples(t) {
		words[`"`+string(e.command.Kind)+`"`] = true
	}
	for _, x := range exchanges(t) {
		words[`"`+string(x.request.Verb)+`"`] = true
	}
	for key := range policyMembers(t) {
		words[`"`+key+`"`] = true
	}
	for _, v := range refusedVectors(t) {
		words[string(v.Reason)] = true
	}
	for word := range words {
		if !strings.Contains(string(contract), word) {
			t.Errorf("docs/wire.cddl does not name %s", word)
		}
	}
	if len(words) < 50 {
		t.Errorf("only %d words looked for", len(words))
	}
}

// refusedVectors are all refused vectors of the packages with a form on the wire.
func refusedVectors(t *testing.T) []wiretest.Vector {
	t.Helper()
	files, err := filepath.Glob("../*/testdata/*-refused.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []wiretest.Vector
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var vectors []wiretest.Vector
		if err := json.Unmarshal(b, &vectors); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, vectors...)
	}
	return all
}
