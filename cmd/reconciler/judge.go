package main

import (
	"context"

	"github.com/spf13/cobra"

	"consilience/command"
)

// judgeVerb is a judgement about one record's content.
type judgeVerb struct {
	kind           command.Kind
	short, long    string
	example, state string
}

var (
	confirmVerb = judgeVerb{
		kind: command.KindConfirm, short: "Say that a record's content is right",
		long: `Say that a record's content is right. Those who said it first hand, and early,
gain reputation; the item becomes authoritative while no rival is confirmed.`,
		example: `  reconciler confirm rec:… --space ops --reason "checked on the console"`, state: "confirmed",
	}
	contradictVerb = judgeVerb{
		kind: command.KindContradict, short: "Say that a record's content is wrong",
		long: `Say that a record's content is wrong. Those who support it, other than by echo,
lose reputation; three contradictions in ten judgements lock a contributor. The
item stays, never authoritative.`,
		example: `  reconciler contradict rec:… --space ops --reason "decommissioned in March"`, state: "contradicted",
	}
)

func (a *app) judgeCommand(v judgeVerb) *cobra.Command {
	var space, why string
	c := &cobra.Command{
		Use: string(v.kind) + " RECORD --space NAME", Short: v.short, Long: v.long, Example: v.example, Args: cobra.ExactArgs(1),
		RunE: a.commanding(func(ctx context.Context, d *desk, args []string) error {
			if err := d.spacesExist([]string{space}); err != nil {
				return err
			}
			id, err := recordID(ctx, d.store, space, args[0])
			if err != nil {
				return err
			}
			r, err := d.judge(ctx, v.kind, command.Judgement{Space: space, Record: id, Reason: why})
			if err != nil {
				return err
			}
			r.Effect = "the content of " + id.String() + " is " + v.state
			return a.Print(r, r.line)
		}),
	}
	c.Flags().StringVar(&space, "space", "", "the record's space")
	c.Flags().StringVar(&why, "reason", "", "why, for those who ask later")
	_ = c.MarkFlagRequired("space")
	return waitFlag(c)
}
