package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"consilience/agent"
	"consilience/command"
	"consilience/internal/cli"
	"consilience/reason"
)

// defaultWait is how long a push waits for outcomes.
const defaultWait = 10 * time.Second

func newPush(a *app) *cobra.Command {
	var space string
	var wait time.Duration
	c := &cobra.Command{
		Use:   "push --space SPACE",
		Short: "Propose what changed to a space",
		Long: `Sign the difference between the local state and its slice, publish it and wait
for the outcome. What is too large for one message goes as several. While the
store cannot be reached the signed messages are kept, and the next push sends
them as they are. A push that the server refuses, for a space that is not there
or that the contributor is not enrolled for, leaves everything as it was.

Exit status: 0 all merged, or published and not merged yet; 1 something was
rejected; 3 the store could not be reached.`,
		Example: `  contributor push --space plant --wait 30s`,
		Args:    cobra.NoArgs,
		RunE: a.withHome(func(c *cobra.Command, h *agent.Home, _ []string) error {
			if err := needSpace(space); err != nil {
				return err
			}
			p, err := a.push(c, h, space, wait)
			if err != nil {
				return a.queued(c, h, space, err)
			}
			if err := a.Print(p, func(w io.Writer) { showPushed(w, p) }); err != nil || p.Rejected() == 0 {
				return err
			}
			return cli.No()
		}),
	}
	spaceFlag(c, &space, "the space to propose to")
	c.Flags().DurationVar(&wait, "wait", defaultWait, "how long to wait for outcomes")
	return c
}

func (a *app) push(c *cobra.Command, h *agent.Home, space string, wait time.Duration) (agent.Pushed, error) {
	s, closeLink, err := a.reach(c.Context(), h)
	if err != nil {
		return agent.Pushed{}, err
	}
	defer closeLink()
	return s.Push(c.Context(), space, wait)
}

// queued seals what a push could not send, so that it is fixed as it is now, and
// says so.
func (a *app) queued(c *cobra.Command, h *agent.Home, space string, cause error) error {
	if !offline(cause) {
		return cause
	}
	_, err := h.Seal(c.Context(), space)
	if reason.Of(err) == reason.NotFound {
		return cause // no store is known to sign for
	}
	if err != nil {
		return errors.Join(cause, err)
	}
	waiting, err := h.Waiting(c.Context(), space)
	if err != nil || waiting == 0 {
		return errors.Join(cause, err)
	}
	return reason.Wrap(reason.Of(cause), cause, "%s kept and not sent", cli.Count(waiting, "signed message")).On("push to " + space).
		Advise("push again when that is mended")
}

func showPushed(w io.Writer, p agent.Pushed) {
	if p.Published == 0 && len(p.Outcomes) == 0 && p.Pending == 0 {
		fmt.Fprintln(w, "nothing to push")
		return
	}
	fmt.Fprintf(w, "published %d, merged %d, rejected %d, pending %d\n",
		p.Published, len(p.Outcomes)-p.Rejected(), p.Rejected(), p.Pending)
	var rows [][]string
	for _, o := range p.Outcomes {
		if o.Status == command.StatusRejected {
			fmt.Fprintf(w, "delta %d was rejected: %s\n", o.Sequence, o.Reason)
		}
		for _, i := range o.Items {
			rows = append(rows, []string{string(i.Action), i.ItemID.String(), cli.Ppm(i.Confidence), counted(i.Counted)})
		}
	}
	if len(rows) > 0 {
		cli.Table(w, []string{"WHAT", "ITEM", "CONFIDENCE", "COUNTED"}, rows)
	}
}

func counted(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}
