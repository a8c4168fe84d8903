package main

import (
	"github.com/spf13/cobra"

	"consilience/internal/cli"
)

// app is what the verbs share: the session and the flags of every verb.
type app struct {
	*cli.Session
	home  string // folder of the contributor
	dir   string // folder of a dev store
	nats  string
	store string // store id
}

// newRoot is the command tree.
func newRoot(s *cli.Session) *cobra.Command {
	a := &app{Session: s}
	root := &cobra.Command{
		Use:   "contributor",
		Short: "An agent's memory, shared through a Consilience store",
		Long: `contributor keeps an agent's memory in one folder and shares it through a store.

Remember, revise and forget change the local memory and need no network. Push
proposes the difference to a space, pull derives from it; pull pushes first.`,
		Example: `  contributor init --name alice
  contributor remember "The valve opens at 3 bar."
  contributor push --space plant`,
	}
	flags := root.PersistentFlags()
	flags.StringVar(&a.home, "home", defaultHome(), "folder of the contributor: its key, its memory, its slices")
	flags.StringVar(&a.dir, "dir", "", "folder of a dev store; gives all that is needed to reach it")
	flags.StringVar(&a.nats, "nats", "", "address of the store, nats://HOST:PORT")
	flags.StringVar(&a.store, "store", "", "store id, 43 characters")
	root.CompletionOptions.DisableDefaultCmd = true
	for _, verb := range []func(*app) *cobra.Command{
		newInit, newDerive, newPull, newRecall, newVerifyProjection, newRemember, newRevise, newForget, newDiff, newPush,
		newRotate, newVerify, newImport, newExport,
	} {
		root.AddCommand(verb(a))
	}
	root.AddCommand(cli.CompletionCommand(s, "contributor"))
	return root
}
