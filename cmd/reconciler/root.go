package main

import (
	"github.com/spf13/cobra"

	"consilience/internal/cli"
)

// version is set by the linker at a release.
var version = "0.1.0-dev"

func newRoot(s *cli.Session) *cobra.Command {
	a := &app{Session: s}
	root := &cobra.Command{
		Use:   "reconciler",
		Short: "Reconcile what a fleet of agents remembers",
		Long: `reconciler runs a Consilience store and is its operator's tool.

Where is the store? --dir DIR of a dev store is all a command needs; otherwise
--nats, --postgres and, to command, --operator-key. With neither, the dev store
running in ` + cli.DefaultDir() + ` is used, and the command says so.

Exit status: 0 done, 1 the answer is "no", 2 usage, 3 could not run.`,
		Example: `  reconciler demo
  reconciler dev
  reconciler quarantine mallory --dry-run --reason "case 4711"`,
		Version: version,
	}
	a.flags(root)
	root.AddGroup(
		&cobra.Group{ID: "run", Title: "Run a store:"},
		&cobra.Group{ID: "fleet", Title: "Command the fleet:"},
		&cobra.Group{ID: "judge", Title: "Judge records:"},
		&cobra.Group{ID: "ask", Title: "Ask and check:"},
	)
	grouped(root, "run", a.demoCommand(), a.devCommand(), a.initCommand(), a.migrateCommand(), a.serveCommand())
	grouped(root, "fleet", a.spaceCommand(), a.enrollCommand(), a.rotateCommand(), a.retireCommand(), a.operatorsCommand(),
		a.quarantineCommand(), a.releaseCommand())
	grouped(root, "judge", a.judgeCommand(confirmVerb), a.judgeCommand(contradictVerb))
	grouped(root, "ask", a.explainCommand(), a.exposureCommand(), a.verifyCommand(), a.digestCommand(), a.replayCommand(),
		a.rejectedCommand(), a.requeueCommand(), a.clusterCommand())
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(cli.CompletionCommand(s, "reconciler"))
	return root
}

func grouped(root *cobra.Command, group string, commands ...*cobra.Command) {
	for _, c := range commands {
		c.GroupID = group
		root.AddCommand(c)
	}
}
