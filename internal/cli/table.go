package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Table writes rows under a header, columns aligned, each cell as [Visible] shows it.
func Table(w io.Writer, header []string, rows [][]string) {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(header, "\t"))
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = Visible(cell)
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	_ = t.Flush()
}

// Ppm shows a value in millionths as people read it, "0.756621".
func Ppm(v uint32) string { return fmt.Sprintf("%d.%06d", v/1_000_000, v%1_000_000) }

// Clip shows s as [Visible] does, lines joined by blanks, and shortens it to n runes
// for a table, marking the cut.
func Clip(s string, n int) string {
	r := []rune(Visible(strings.ReplaceAll(s, "\n", " ")))
	if len(r) <= n {
		return string(r)
	}
	return string(r[:n-1]) + "…"
}

// Count is a number and what is counted, "1 item" and "2 items".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
