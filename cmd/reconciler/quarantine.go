package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"consilience/command"
	"consilience/fleet"
	"consilience/identity"
	"consilience/internal/cli"
	"consilience/internal/wiring"
	"consilience/reason"
	"consilience/reconcile"
	"consilience/record"
)

func (a *app) quarantineCommand() *cobra.Command {
	var q command.Quarantine
	var dryRun bool
	c := &cobra.Command{
		Use: "quarantine CONTRIBUTOR --reason TEXT", Short: "Contain a contributor and all that derives from it", Args: cobra.ExactArgs(1),
		Long: `Contain a contributor and all that derives from it, at any depth, also later. A
quarantine is a mask: nothing is deleted. Their stances no longer count; an item
that no clean lineage carries becomes "quarantined" with confidence 0; one that
clean lineages support stays at what those give. release undoes it exactly.

--since SEQ masks only what they said from that place of the log on. --all is the
letter of the draft: every item they ever proposed is quarantined, shared or not.
--dry-run prints the same counts and changes nothing.`,
		Example: `  reconciler quarantine mallory --dry-run --reason "case 4711"
  reconciler quarantine mallory --reason "case 4711"
  reconciler quarantine mallory --since 48210 --reason "key stolen on Tuesday"`,
		RunE: a.commanding(func(ctx context.Context, d *desk, args []string) error {
			who, err := d.contributor(args[0])
			if err != nil {
				return err
			}
			q.Contributor = who.ID
			contained, err := d.quarantine(ctx, q, dryRun)
			if err != nil {
				return named(args[0], err)
			}
			return a.Print(contained, contained.table)
		}),
	}
	f := c.Flags()
	f.BoolVar(&q.All, "all", false, "every item they ever proposed, shared or not")
	f.Uint64Var(&q.Since, "since", 0, "only what they said from this stream sequence on")
	f.BoolVar(&dryRun, "dry-run", false, "print the tree and the counts, change nothing")
	f.StringVar(&q.Reason, "reason", "", "why, for those who ask later")
	_ = c.MarkFlagRequired("reason")
	return waitFlag(c)
}

// contained is what a quarantine did, or would do.
type contained struct {
	*result
	DryRun bool         `json:"dry_run"`
	Tree   []member     `json:"tree"`
	Spaces []spaceCount `json:"spaces"`
}

// member is one of those that a quarantine takes.
type member struct {
	Contributor identity.ID   `json:"contributor"`
	Name        string        `json:"name"`
	Depth       int           `json:"depth"`
	Parents     []identity.ID `json:"parents"`
	Statements  int           `json:"statements"`
	Items       int           `json:"items"`
}

// spaceCount is what changes in one space.
type spaceCount struct {
	Space       string          `json:"space"`
	Touched     int             `json:"touched"`
	Quarantined int             `json:"quarantined"`
	Restored    int             `json:"restored"`
	Moved       int             `json:"moved"`
	Kept        []record.ItemID `json:"kept"` // items that clean support carries
}

// quarantine contains a contributor, or says what that would do. The counts come
// from the same code either way.
func (d *desk) quarantine(ctx context.Context, q command.Quarantine, dryRun bool) (contained, error) {
	c, err := d.seal(command.KindQuarantine, q)
	if err != nil {
		return contained{}, err
	}
	seen, err := d.foresee(ctx, c)
	if err != nil {
		return contained{}, err
	}
	out := foreseen(seen)
	if out.DryRun = dryRun; dryRun {
		return out, nil
	}
	r, err := d.send(ctx, c)
	if err != nil {
		return out, err
	}
	out.result = &r
	return out, d.merged(ctx, r.Sequence, d.spacePartitions())
}

// foresee computes what a sealed fact would do at the next place of the log.
func (d *desk) foresee(ctx context.Context, c sealed) (reconcile.Forecast, error) {
	log := wiring.Log{Bus: d.bus}
	last, err := log.Last(ctx)
	if err != nil {
		return reconcile.Forecast{}, err
	}
	subject, err := command.ParseSubject(c.subject)
	if err != nil {
		return reconcile.Forecast{}, err
	}
	if q, ok := c.body.(command.Quarantine); ok && q.Since > last+1 {
		return reconcile.Forecast{}, reason.New(reason.OutOfRange, "is %d, and the log ends at %d", q.Since, last).On("--since").
			Advise("memory.provenance and memory.commands show sequences and times")
	}
	fact := fleet.Fact{Seq: last + 1, Time: uint64(time.Now().UnixMilli()), Subject: subject, Raw: c.raw}
	return reconcile.Foresee(ctx, wiring.Store{Store: d.store}, d.id, fact)
}

func foreseen(f reconcile.Forecast) contained {
	out := contained{Tree: []member{}, Spaces: []spaceCount{}}
	for _, m := range f.Members {
		m.Parents = listed(m.Parents)
		out.Tree = append(out.Tree, member{m.ID, m.Name, m.Depth, m.Parents, m.Statements, m.Items})
	}
	for _, s := range f.Spaces {
		out.Spaces = append(out.Spaces, spaceCount{
			Space: s.Space, Touched: s.Touched, Quarantined: len(s.Quarantined), Restored: len(s.Restored), Moved: s.Moved, Kept: listed(s.Kept),
		})
	}
	return out
}

// listed is s as JSON shows a list, also an empty one.
func listed[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func (c contained) table(w io.Writer) {
	rows := [][]string{}
	for _, m := range c.Tree {
		rows = append(rows, []string{strings.Repeat("  ", m.Depth) + m.Name, m.Contributor.String(), strconv.Itoa(m.Statements), strconv.Itoa(m.Items)})
	}
	cli.Table(w, []string{"CONTRIBUTOR", "ID", "STATEMENTS", "ITEMS"}, rows)
	rows = rows[:0]
	for _, s := range c.Spaces {
		rows = append(rows, []string{s.Space, strconv.Itoa(s.Touched), strconv.Itoa(s.Quarantined), strconv.Itoa(len(s.Kept)), strconv.Itoa(s.Moved)})
	}
	fmt.Fprintln(w)
	cli.Table(w, []string{"SPACE", "ITEMS TOUCHED", "QUARANTINED", "KEPT BY CLEAN SUPPORT", "MOVED"}, rows)
	if c.DryRun {
		fmt.Fprintln(w, "\nnothing was changed")
		return
	}
	fmt.Fprintln(w)
	c.line(w)
}

// inShort says in a few lines what a quarantine did.
func (c contained) inShort(w io.Writer) {
	for _, m := range c.Tree {
		name := strings.Repeat("  ", m.Depth) + m.Name
		fmt.Fprintf(w, "  %-14s  %s masked, on %s\n", name, cli.Count(m.Statements, "statement"), cli.Count(m.Items, "item"))
	}
	for _, s := range c.Spaces {
		fmt.Fprintf(w, "  items that fall: %d; that stay, carried by clean agents: %d\n", s.Quarantined, len(s.Kept))
	}
	fmt.Fprintln(w, "  nothing is deleted; `reconciler release` undoes it exactly")
}

func (a *app) releaseCommand() *cobra.Command {
	var why string
	c := &cobra.Command{
		Use: "release CONTRIBUTOR", Short: "Take a quarantine back; every number returns exactly", Args: cobra.ExactArgs(1),
		Example: `  reconciler release mallory --reason "false alarm, case 4711 closed"`,
		RunE: a.commanding(func(ctx context.Context, d *desk, args []string) error {
			who, err := d.contributor(args[0])
			if err != nil {
				return err
			}
			r, err := d.fact(ctx, command.KindRelease, command.Release{Contributor: who.ID, Reason: why})
			if err != nil {
				return named(args[0], err)
			}
			if err := d.merged(ctx, r.Sequence, d.spacePartitions()); err != nil {
				return err
			}
			return a.Print(r, r.line)
		}),
	}
	c.Flags().StringVar(&why, "reason", "", "why, for those who ask later")
	return waitFlag(c)
}
