package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"consilience/agent"
	"consilience/internal/cli"
)

func newImport(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "import FORMAT FILE",
		Short: "Take in what other systems remember",
		Long: `Take in what other systems remember. A file is read and checked as a whole
before anything is written; an error names the line.`,
		Example: `  contributor import jsonl memory.jsonl
  contributor import csv claims.csv --sources --space flights`,
	}
	c.AddCommand(newImportLines(a), newImportTable(a))
	return c
}

func newImportLines(a *app) *cobra.Command {
	var space string
	c := &cobra.Command{
		Use:   "jsonl FILE",
		Short: "Take in JSON Lines, as export writes them",
		Long: `Take in records, one JSON object a line:
{"kind": "text|structured|binary", "content": …, "refs": […], "confidence": 0.8}
refs may name the "id" of an earlier line. FILE is - for standard input. The next
push proposes them.`,
		Example: `  contributor import jsonl memory.jsonl --space plant`,
		Args:    cobra.ExactArgs(1),
		RunE: a.withHome(func(c *cobra.Command, h *agent.Home, args []string) error {
			if err := maySpace(space); err != nil {
				return err
			}
			file, err := a.openFile(args[0])
			if err != nil {
				return err
			}
			defer file.Close()
			n, err := h.ImportLines(c.Context(), file, space)
			if err != nil {
				return onFile(args[0], err)
			}
			return a.Print(n, func(w io.Writer) { showImported(w, n) })
		}),
	}
	spaceFlag(c, &space, "the one space they are for (default every space pushed to)")
	return c
}

func showImported(w io.Writer, n agent.Imported) {
	fmt.Fprintf(w, "%s read, %d written, %d already there\n", cli.Count(n.Read, "record"), n.Written, n.Already)
}
