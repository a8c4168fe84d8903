package main

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"consilience/internal/cli"
	"consilience/reason"
	"consilience/storage/postgres"
)

func (a *app) rejectedCommand() *cobra.Command {
	var space string
	var limit int
	c := &cobra.Command{
		Use: "rejected", Short: "Messages that were refused, and the reason", Args: cobra.NoArgs,
		Long: `List messages that were refused, newest first, each with its reason. A refused
message stays on the log; once the cause is gone, requeue publishes the same bytes
again.`,
		Example: `  reconciler rejected --space ops
  reconciler rejected --json`,
		RunE: func(c *cobra.Command, _ []string) error {
			if limit < 1 {
				return reason.New(reason.UsageError, "is %d, and a list has room for 1 or more", limit).On("--limit")
			}
			store, err := a.openStore(c.Context())
			if err != nil {
				return err
			}
			defer store.Close()
			rows, err := store.Rejections(c.Context(), space, limit)
			if err != nil {
				return advised(space, err)
			}
			shown := refused(rows)
			return a.Print(shown, func(w io.Writer) { refusedTable(w, shown) })
		},
	}
	c.Flags().StringVar(&space, "space", "", "one space only")
	c.Flags().IntVar(&limit, "limit", 100, "at most so many")
	return c
}

// refusedMessage is a message as rejected prints it.
type refusedMessage struct {
	Sequence   uint64    `json:"sequence"`
	Space      string    `json:"space"` // "" if it names none that exists
	Subject    string    `json:"subject"`
	Reason     string    `json:"reason"`
	Detail     string    `json:"detail"`
	At         time.Time `json:"at"`
	RequeuedAs uint64    `json:"requeued_as,omitempty"` // sequence of the copy
}

func refused(rows []postgres.RejectedRow) []refusedMessage {
	shown := make([]refusedMessage, len(rows))
	for i, r := range rows {
		shown[i] = refusedMessage{r.Seq, r.Space, r.Subject, r.Reason, uncoded(r.Detail, r.Reason), r.At.UTC(), r.RequeuedAs}
	}
	return shown
}

func refusedTable(w io.Writer, messages []refusedMessage) {
	if len(messages) == 0 {
		fmt.Fprintln(w, "nothing was refused")
		return
	}
	rows := [][]string{}
	for _, m := range messages {
		again := "-"
		if m.RequeuedAs > 0 {
			again = strconv.FormatUint(m.RequeuedAs, 10)
		}
		rows = append(rows, []string{
			strconv.FormatUint(m.Sequence, 10), m.At.Format(time.RFC3339), m.Reason, again, m.Subject, cli.Clip(m.Detail, 80),
		})
	}
	cli.Table(w, []string{"SEQUENCE", "AT", "REASON", "SENT AGAIN AS", "SUBJECT", "DETAIL"}, rows)
}
