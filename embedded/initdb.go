package embedded

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"consilience/reason"
)

// superuser is the database role that owns everything in a private Postgres.
const superuser = "reconciler"

// childEnv is all that Postgres and its watchdog inherit: no PG variables, no secrets.
func childEnv() []string {
	return []string{"LC_ALL=C", "TZ=UTC", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
}

// dataVersion is the major version that made dataDir, 0 if it holds no data.
func dataVersion(dataDir string) (int, error) {
	text, err := os.ReadFile(filepath.Join(dataDir, "PG_VERSION"))
	if os.IsNotExist(err) {
		return 0, nil
	}
	if err != nil {
		return 0, reason.Wrap(reason.Unreachable, err, "cannot read the data's version").On(dataDir)
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0, reason.Wrap(reason.SchemaMismatch, err, "cannot read the data's version").On(dataDir)
	}
	return major, nil
}

// initialize makes dataDir. It appears whole or not at all, so a crash on the way
// leaves nothing that the next start would take for data.
func initialize(ctx context.Context, b Binaries, dataDir string, r *runner, durable bool) error {
	draft := dataDir + ".new"
	if err := os.RemoveAll(draft); err != nil {
		return reason.Wrap(reason.Unreachable, err, "cannot clear the folder").On(draft)
	}
	// The locale C and UTC make sorting and time the same on every machine.
	cmd := exec.CommandContext(ctx, filepath.Join(b.Dir, "initdb"), "-D", draft, "-U", superuser,
		"--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync", "--no-instructions")
	cmd.Dir, cmd.Env, cmd.SysProcAttr = "/", childEnv(), r.attributes()
	if out, err := cmd.CombinedOutput(); err != nil {
		return reason.Wrap(reason.Unreachable, err, "initdb failed: %s", lastLine(string(out))).On(b.Dir)
	}
	if durable {
		// One sync for all files; initdb's own takes several times as long.
		syscall.Sync()
	}
	if err := os.Rename(draft, dataDir); err != nil {
		return reason.Wrap(reason.Unreachable, err, "cannot put the data in place").On(dataDir)
	}
	return nil
}

// lastLine returns the last line of text that is not blank.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
