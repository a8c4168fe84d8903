package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"consilience/agent"
	"consilience/internal/cli"
	"consilience/reason"
)

func newExport(a *app) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "export",
		Short: "Write the contributor's own records as JSON Lines",
		Long: `Write the records that the local state holds beyond its slices, one JSON object a
line: {"id","kind","content","refs","confidence"}. "contributor import jsonl"
reads it. A file gets mode 0600; contents are never sent to a network address.`,
		Example: `  contributor export --out memory.jsonl`,
		Args:    cobra.NoArgs,
		RunE: a.withHome(func(c *cobra.Command, h *agent.Home, _ []string) error {
			if strings.Contains(out, "://") {
				return reason.New(reason.UsageError, "contents are exported to files only").On("--out").
					Advise("write a file, encrypt it, and send that")
			}
			var lines bytes.Buffer
			n, err := h.Export(c.Context(), &lines)
			if err != nil {
				return err
			}
			return a.exported(out, n, lines.Bytes())
		}),
	}
	c.Flags().StringVar(&out, "out", "", "file to write (default standard output)")
	return c
}

// exported writes lines to a file or to standard output, there as one document
// under --json.
func (a *app) exported(out string, n int, lines []byte) error {
	if out == "" {
		return a.PrintExact(map[string]any{"records": documents(lines)}, func(w io.Writer) { _, _ = w.Write(lines) })
	}
	f, err := os.OpenFile(out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return reason.New(reason.UsageError, "the file exists").On(out).Advise("name another, or remove it")
	}
	if err != nil {
		return reason.Wrap(reason.UsageError, err, "file cannot be written").On(out)
	}
	_, err = f.Write(lines)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return reason.Wrap(reason.UsageError, err, "file cannot be written").On(out)
	}
	return a.Print(map[string]any{"records": n, "file": out}, func(w io.Writer) { fmt.Fprintln(w, cli.Count(n, "record")) })
}

// documents are the lines as the elements of an array.
func documents(lines []byte) []json.RawMessage {
	out := []json.RawMessage{}
	for line := range bytes.Lines(lines) {
		out = append(out, bytes.TrimSuffix(line, []byte("\n")))
	}
	return out
}
