// Package claims reads tables of claims: who (source) says what (value) of what
// (subject, predicate).
//
// [Read] takes a table with a header, or one whose columns are named by the
// caller, separated by commas (RFC 4180) or by tabs (no quoting), and returns its
// claims in order. It reads everything before it returns anything, and an error
// names the line, so that a faulty table has no effect.
package claims

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"consilience/reason"
)

// Claim is one statement of a table.
type Claim struct {
	Line                             int    // in the file, from 1
	Subject, Predicate, Scope, Value string // Scope may be empty
	Source                           string // empty where the table has no such column
}

// Content is the claim as the content of a structured record: an object of
// exactly subject, predicate, value and, if there is one, scope.
func (c Claim) Content() []byte {
	members := map[string]string{"subject": c.Subject, "predicate": c.Predicate, "value": c.Value}
	if c.Scope != "" {
		members["scope"] = c.Scope
	}
	b, err := json.Marshal(members)
	if err != nil {
		panic("claims: " + err.Error()) // strings always marshal
	}
	return b
}

// fields are the parts of a claim by the names of their columns; "object" is what
// tables of conflicting data call a subject.
var fields = map[string]func(*Claim) *string{
	"subject":   func(c *Claim) *string { return &c.Subject },
	"object":    func(c *Claim) *string { return &c.Subject },
	"predicate": func(c *Claim) *string { return &c.Predicate },
	"scope":     func(c *Claim) *string { return &c.Scope },
	"value":     func(c *Claim) *string { return &c.Value },
	"source":    func(c *Claim) *string { return &c.Source },
}

// Options say how a table is laid out.
type Options struct {
	// Separator is between the columns. Defaults to a comma.
	Separator rune
	// Columns names the columns of a table without a header; "-" skips one.
	// Defaults to the names in the first line.
	Columns []string
	// Names are the header's names of the parts, where they differ: "subject" to
	// "flight". Defaults to the parts' own names.
	Names map[string]string
	// Predicate is the predicate of every claim of a table without such a column.
	Predicate string
	// SplitPredicate takes the predicate from the subject: what stands after the
	// last "|".
	SplitPredicate bool
	// Sources asks for a source in every claim.
	Sources bool
}

// ParseNames reads "subject=flight,value=time". It returns [reason.UsageError].
func ParseNames(s string) (map[string]string, error) {
	names := map[string]string{}
	for part := range strings.SplitSeq(s, ",") {
		field, column, ok := strings.Cut(part, "=")
		if !ok || column == "" || fields[field] == nil {
			return nil, reason.New(reason.UsageError, "not a part of a claim and its column").On(part).
				Advise("write subject=COLUMN, likewise predicate, scope, value, source")
		}
		names[field] = column
	}
	return names, nil
}

// layout says which column holds which part.
type layout struct {
	columns []func(*Claim) *string // nil: skipped
	options Options
}

// newLayout makes the layout of columns named in order. Unknown columns of a
// header are skipped; unknown names given by the caller are refused.
func newLayout(names []string, o Options) (layout, error) {
	l := layout{columns: make([]func(*Claim) *string, len(names)), options: o}
	byColumn := map[string]string{}
	for field := range fields {
		byColumn[field] = field
	}
	for field, column := range o.Names {
		delete(byColumn, field)
		byColumn[column] = field
	}
	have := map[string]bool{}
	for i, name := range names {
		field, known := byColumn[strings.TrimSpace(name)]
		if !known {
			if o.Columns != nil && name != "-" {
				return l, reason.New(reason.UsageError, "no part of a claim").On(fmt.Sprintf("column %q", name)).
					Advise("use subject (or object), predicate, scope, value, source, or - to skip a column")
			}
			continue
		}
		if field == "object" {
			field = "subject"
		}
		if have[field] {
			return l, reason.New(reason.UsageError, "%s is named by two columns", field)
		}
		have[field] = true
		l.columns[i] = fields[field]
	}
	return l, l.complete(have)
}

// complete refuses a layout that leaves a part of the claims open.
func (l layout) complete(have map[string]bool) error {
	need := []string{"subject", "value"}
	if l.options.Predicate == "" && !l.options.SplitPredicate {
		need = append(need, "predicate")
	}
	if l.options.Sources {
		need = append(need, "source")
	}
	missing := slices.DeleteFunc(need, func(f string) bool { return have[f] })
	if len(missing) > 0 {
		return reason.New(reason.UsageError, "no column for %s", strings.Join(missing, ", ")).
			Advise("name the columns with --map, or with --columns if there is no header; --predicate or --split-predicate stand in for a predicate")
	}
	if have["predicate"] && (l.options.Predicate != "" || l.options.SplitPredicate) {
		return reason.New(reason.UsageError, "the table has a predicate column and another predicate is given").
			Advise("leave out --predicate and --split-predicate, or skip the column")
	}
	return nil
}

// claim makes a claim of the cells of a line.
func (l layout) claim(line int, cells []string) (Claim, error) {
	c := Claim{Line: line, Predicate: l.options.Predicate}
	if len(cells) != len(l.columns) {
		return c, at(line, "%d columns, the table has %d", len(cells), len(l.columns))
	}
	for i, cell := range cells {
		if part := l.columns[i]; part != nil {
			*part(&c) = cell
		}
	}
	if l.options.SplitPredicate {
		cut := strings.LastIndexByte(c.Subject, '|')
		if cut < 0 {
			return c, at(line, `no "|" before a predicate in the subject`)
		}
		c.Subject, c.Predicate = c.Subject[:cut], c.Subject[cut+1:]
	}
	return c, l.check(c)
}

func (l layout) check(c Claim) error {
	parts := []struct{ name, value string }{{"subject", c.Subject}, {"predicate", c.Predicate}, {"value", c.Value}}
	if l.options.Sources {
		parts = append(parts, struct{ name, value string }{"source", c.Source})
	}
	for _, p := range parts {
		if strings.TrimSpace(p.value) == "" {
			return at(c.Line, "%s is empty", p.name)
		}
	}
	return nil
}

// at is an error about a line.
func at(line int, format string, args ...any) error {
	return reason.New(reason.Malformed, format, args...).On(fmt.Sprintf("line %d", line)).
		Advise("mend the file; nothing was imported")
}
