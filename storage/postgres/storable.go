package postgres

import "strings"

// storable is a text from outside in a form that Postgres keeps: UTF-8 without
// U+0000.
func storable(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}
