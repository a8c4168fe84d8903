package main

import (
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"consilience/internal/cli"
	"consilience/migrations"
)

func (a *app) migrateCommand() *cobra.Command {
	var to int64
	var status bool
	c := &cobra.Command{
		Use: "migrate", Short: "Bring the schema up or down", Args: cobra.NoArgs,
		Long: `Bring the schema up or down, and the read-only role memory_analyst with it. Prints
the steps and when each was applied.`,
		Example: `  reconciler migrate --postgres postgres://…
  reconciler migrate --status
  reconciler migrate --to 3`,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.locate(); err != nil {
				return err
			}
			if a.postgres == "" {
				return missing("postgres")
			}
			if !status {
				report, err := migrations.Migrate(c.Context(), a.postgres, to)
				if err != nil {
					return err
				}
				for _, note := range report.Notes {
					a.Say("%s", note)
				}
			}
			steps, err := migrations.Status(c.Context(), a.postgres)
			if err != nil {
				return err
			}
			shown := shownSteps(steps)
			return a.Print(shown, func(w io.Writer) { stepTable(w, shown) })
		},
	}
	c.Flags().Int64Var(&to, "to", migrations.Latest, "version to go to, up or down; -1: the newest")
	c.Flags().BoolVar(&status, "status", false, "show the versions and change nothing")
	return c
}

// schemaStep is a step of the schema as migrate prints it.
type schemaStep struct {
	Version int64      `json:"version"`
	Name    string     `json:"name"`
	Applied bool       `json:"applied"`
	At      *time.Time `json:"at"` // null where it was not applied
}

func shownSteps(steps []migrations.Step) []schemaStep {
	shown := make([]schemaStep, len(steps))
	for i, s := range steps {
		shown[i] = schemaStep{Version: s.Version, Name: s.Name, Applied: s.Applied}
		if s.Applied {
			at := s.At.UTC()
			shown[i].At = &at
		}
	}
	return shown
}

func stepTable(w io.Writer, steps []schemaStep) {
	rows := [][]string{}
	for _, s := range steps {
		at := "-"
		if s.At != nil {
			at = s.At.Format(time.RFC3339)
		}
		rows = append(rows, []string{strconv.FormatInt(s.Version, 10), s.Name, at})
	}
	cli.Table(w, []string{"VERSION", "NAME", "APPLIED"}, rows)
}
