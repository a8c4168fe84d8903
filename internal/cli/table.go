package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Table writes rows under a header, columns aligned.
func Table(w io.Writer, header []string, rows [][]string) {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(header, "\t"))
	for _, r := range rows {
		fmt.Fprintln(t, strings.Join(r, "\t"))
	}
	_ = t.Flush()
}

// Ppm shows a value in millionths as people read it, "0.756621".
func Ppm(v uint32) string { return fmt.Sprintf("%d.%06d", v/1_000_000, v%1_000_000) }

// Clip shortens s to n runes for a table, marking the cut.
func Clip(s string, n int) string {
	r := []rune(strings.ReplaceAll(s, "\n", " "))
	if len(r) <= n {
		return string(r)
	}
	return string(r[:n-1]) + "…"
}
