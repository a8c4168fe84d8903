package postgres

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every statement is used by name, and every name has its statement.
func TestStatements(t *testing.T) {
	used := map[string]bool{}
	names := regexp.MustCompile(`"([a-z_]+)"`)
	sources, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range sources {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		text, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range names.FindAllSubmatch(text, -1) {
			used[string(m[1])] = true
		}
		for _, m := range regexp.MustCompile(`query\("([a-z_]+)"\)`).FindAllSubmatch(text, -1) {
			query(string(m[1]))
		}
	}
	for name := range queries {
		if !used[name] {
			t.Errorf("sql/%s.sql is used by nobody", name)
		}
	}
}
