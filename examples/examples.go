// Package examples holds the input that ships with Consilience: the story of a
// fleet that `reconciler demo` plays, and a table of claims to import.
package examples

import _ "embed"

// Fleet is the story that `reconciler demo` plays: one step a line, JSON.
//
//go:embed fleet.jsonl
var Fleet []byte
