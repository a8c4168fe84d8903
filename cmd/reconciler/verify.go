package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"consilience/audit"
	"consilience/fleet"
	"consilience/identity"
	"consilience/internal/cli"
	"consilience/internal/wiring"
	"consilience/reason"
	"consilience/reconcile"
	"consilience/record"
	"consilience/storage/postgres"
)

func (a *app) verifyCommand() *cobra.Command {
	var space, one string
	c := &cobra.Command{
		Use: "verify", Short: "Recompute every hash, pair and signature; say where the fault lies", Args: cobra.NoArgs,
		Long: `Recompute every record id, content hash, relational pair and signature of a space,
or of all, from the stored bytes. A record that fails its own check is the tampered
one; a record that only refers to it is an observer; one that an author signed and
that is not there, and who refers to it, is unresolved. Exit status 1 if anything was
tampered with or is missing.`,
		Example: `  reconciler verify
  reconciler verify --space ops --record rec:3vQx1c0k`,
		RunE: func(c *cobra.Command, _ []string) error {
			r, err := a.verify(c.Context(), space, one)
			if err != nil {
				return err
			}
			if err := a.Print(r, func(w io.Writer) { printReport(w, r) }); err != nil {
				return err
			}
			if !r.Clean() {
				return cli.No()
			}
			return nil
		},
	}
	c.Flags().StringVar(&space, "space", "", "one space; default: all")
	c.Flags().StringVar(&one, "record", "", "one record of --space, an id or a unique prefix")
	return c
}

func (a *app) verify(ctx context.Context, space, one string) (audit.Report, error) {
	if one != "" && space == "" {
		return audit.Report{}, reason.New(reason.UsageError, "--record needs --space")
	}
	id, err := a.storeID()
	if err != nil {
		return audit.Report{}, err
	}
	store, err := a.openStore(ctx)
	if err != nil {
		return audit.Report{}, err
	}
	defer store.Close()
	f, err := reconcile.LoadFleet(ctx, id, wiring.Store{Store: store})
	if err != nil {
		return audit.Report{}, err
	}
	spaces, err := audited(store, f, space)
	if err != nil {
		return audit.Report{}, err
	}
	if one != "" {
		rec, err := store.RecordID(ctx, space, one)
		if err != nil {
			return audit.Report{}, err
		}
		return audit.One(ctx, spaces[0], rec)
	}
	bar := a.Progress("verifying records", -1)
	defer bar.Done()
	var all audit.Report
	for i, s := range spaces {
		r, err := audit.Space(ctx, s, bar.Add)
		if err != nil {
			return audit.Report{}, err
		}
		if i == 0 {
			all = r
			continue
		}
		all = all.With(r)
	}
	return all, nil
}

// audited are the spaces to audit, all or the one named.
func audited(store *postgres.Store, f *reconcile.Fleet, name string) ([]spaceSource, error) {
	var out []spaceSource
	f.Now(func(v fleet.View) {
		for _, s := range v.Spaces() {
			if name == "" || s.Name == name {
				out = append(out, spaceSource{store: store, fleet: f, space: s})
			}
		}
	})
	if name != "" && len(out) == 0 {
		return nil, reason.New(reason.SpaceUnknown, "no such space").On(name).Advise("`reconciler space show` lists them")
	}
	return out, nil
}

// spaceSource is a space of the store as package audit reads it.
type spaceSource struct {
	store *postgres.Store
	fleet *reconcile.Fleet
	space fleet.Space
}

// EachRecord implements [audit.Source].
func (s spaceSource) EachRecord(ctx context.Context, each func([]audit.Stored) error) error {
	return s.store.EachRecord(ctx, s.space.Name, func(chunk []postgres.StoredRecord) error { return each(stored(chunk)) })
}

// Get implements [audit.Source].
func (s spaceSource) Get(ctx context.Context, ids []record.ID) ([]audit.Stored, error) {
	rows, err := s.store.Records(ctx, s.space.Num, ids)
	return stored(rows), err
}

// BackReferences implements [audit.Source].
func (s spaceSource) BackReferences(ctx context.Context, id record.ID, max int) ([]record.ID, error) {
	return s.store.BackReferences(ctx, s.space.Name, id, max)
}

// Key implements [audit.Source].
func (s spaceSource) Key(kid identity.KeyID) (key identity.PublicKey, owner identity.ID, known bool) {
	s.fleet.Now(func(v fleet.View) { key, owner, _, known = v.Key(kid) })
	return key, owner, known
}

func stored(rows []postgres.StoredRecord) []audit.Stored {
	out := make([]audit.Stored, len(rows))
	for i, r := range rows {
		out[i] = audit.Stored{
			ID: r.Record.ID, Forward: r.Record.Forward, Content: r.Record.Content, Erased: r.Record.Erased, Envelope: r.Envelope,
		}
	}
	return out
}

func printReport(w io.Writer, r audit.Report) {
	fmt.Fprintf(w, "%d records, %d intact, %d tampered, %d observers, %d unresolved, %d erased\n",
		r.Records, r.Intact, len(r.Tampered), len(r.Observers), len(r.Unresolved), r.Erased)
	rows := [][]string{}
	for _, f := range r.Tampered {
		rows = append(rows, []string{f.Record.String(), f.Fault, f.Evidence})
	}
	if len(rows) > 0 {
		cli.Table(w, []string{"TAMPERED", "FAULT", "EVIDENCE"}, rows)
	}
	for _, id := range r.Unresolved {
		fmt.Fprintf(w, "unresolved %s\n", id)
	}
}
