package postgres

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed sql/*.sql
var files embed.FS

// queries are the statements by name: the name of their file without ".sql".
//
// A batch of keys is looked up by LATERAL (… OFFSET 0), and an update joins its
// table by ctid: both leave the planner one plan, a look-up for each key. Left to
// itself it chose, while a table was new, to read the whole space for each batch,
// and kept that plan. A look-up by shown id hides the space from it (space + 0) for
// the same reason.
var queries = readQueries()

func readQueries() map[string]string {
	all := map[string]string{}
	names, err := fs.Glob(files, "sql/*.sql")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err) // embedded
		}
		all[strings.TrimSuffix(strings.TrimPrefix(name, "sql/"), ".sql")] = string(text)
	}
	return all
}

// query returns a statement by name. Its absence is a fault of the build; a test
// looks every name up.
func query(name string) string {
	text, ok := queries[name]
	if !ok {
		panic("postgres: no statement " + name)
	}
	return text
}

// column is one field of every row: statements take columns as arrays.
func column[R, V any](rows []R, field func(R) V) []V {
	values := make([]V, len(rows))
	for i, r := range rows {
		values[i] = field(r)
	}
	return values
}

// table builds the arguments of a statement from rows: what all rows share first,
// then the columns.
type table[R any] struct {
	rows []R
	args []any
}

func columnsOf[R any](rows []R, shared ...any) *table[R] { return &table[R]{rows, shared} }

func (t *table[R]) ints(field func(R) int32) *table[R] {
	t.args = append(t.args, column(t.rows, field))
	return t
}

func (t *table[R]) bigs(field func(R) int64) *table[R] {
	t.args = append(t.args, column(t.rows, field))
	return t
}

func (t *table[R]) smalls(field func(R) int16) *table[R] {
	t.args = append(t.args, column(t.rows, field))
	return t
}

func (t *table[R]) bools(field func(R) bool) *table[R] {
	t.args = append(t.args, column(t.rows, field))
	return t
}

func (t *table[R]) bytes(field func(R) []byte) *table[R] {
	t.args = append(t.args, column(t.rows, field))
	return t
}

func (t *table[R]) texts(field func(R) string) *table[R] {
	t.args = append(t.args, column(t.rows, field))
	return t
}

func (t *table[R]) maybeTexts(field func(R) *string) *table[R] {
	t.args = append(t.args, column(t.rows, field))
	return t
}
