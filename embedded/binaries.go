package embedded

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"consilience/reason"
)

// MinPostgres is the oldest major version of Postgres that the store runs on.
const MinPostgres = 15

// installAdvice says what to do where no Postgres was found and none can be fetched.
const installAdvice = "install Postgres 15 or later (Debian, Ubuntu: apt-get install postgresql; " +
	"Fedora: dnf install postgresql-server; macOS: brew install postgresql@17), " +
	"or name its bin folder, or name a running server with --postgres"

// folders are where packagers put Postgres, beside PATH and pg_config.
var folders = []string{
	"/usr/lib/postgresql/*/bin",         // Debian, Ubuntu
	"/usr/pgsql-*/bin",                  // PGDG packages for Fedora and RHEL
	"/usr/libexec/postgresql*",          // Alpine
	"/opt/homebrew/opt/postgresql*/bin", // Homebrew
	"/usr/local/opt/postgresql*/bin",
	"/usr/local/pgsql/bin", // built from source
}

// Binaries is a folder that holds initdb and postgres of one version.
type Binaries struct {
	// Dir is the folder itself, no symbolic link: initdb finds its files relative to it.
	Dir string
	// Major is the major version, 15 for Postgres 15.18.
	Major int
	// Version is what postgres --version prints, without the name.
	Version string
}

// FindPostgres returns the Postgres installations of this machine that the store
// runs on ([MinPostgres] or later), newest first.
func FindPostgres(ctx context.Context) []Binaries {
	seen := map[string]bool{}
	var found []Binaries
	for _, dir := range candidates(ctx) {
		b, err := inspect(ctx, dir)
		if err != nil || seen[b.Dir] || b.Major < MinPostgres {
			continue
		}
		seen[b.Dir] = true
		found = append(found, b)
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].Major > found[j].Major })
	return found
}

func candidates(ctx context.Context) []string {
	var dirs []string
	if p, err := exec.LookPath("initdb"); err == nil {
		dirs = append(dirs, resolved(p))
	}
	for _, pattern := range folders {
		if matches, err := filepath.Glob(pattern); err == nil {
			dirs = append(dirs, matches...)
		}
	}
	if out, err := exec.CommandContext(ctx, "pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	return dirs
}

// resolved is the folder of file behind all symbolic links; /usr/local/bin/initdb
// often is one, and the files beside it are not Postgres's.
func resolved(file string) string {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	return filepath.Dir(file)
}

var versionPattern = regexp.MustCompile(`\(PostgreSQL\) ((\d+)[^ \n]*)`)

// inspect returns what dir holds; [reason.NotFound] if that is not Postgres.
func inspect(ctx context.Context, dir string) (Binaries, error) {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if _, err := os.Stat(filepath.Join(dir, "initdb")); err != nil {
		return Binaries{}, reason.Wrap(reason.NotFound, err, "no initdb here").On(dir)
	}
	out, err := exec.CommandContext(ctx, filepath.Join(dir, "postgres"), "--version").Output()
	if err != nil {
		return Binaries{}, reason.Wrap(reason.NotFound, err, "postgres --version failed").On(dir)
	}
	m := versionPattern.FindStringSubmatch(string(out))
	if m == nil {
		return Binaries{}, reason.New(reason.NotFound, "postgres --version names no version").On(dir)
	}
	major, err := strconv.Atoi(m[2])
	if err != nil {
		return Binaries{}, reason.Wrap(reason.NotFound, err, "postgres --version names no version").On(dir)
	}
	return Binaries{Dir: dir, Major: major, Version: m[1]}, nil
}

// choose returns the binaries for data of version major (0: none yet): those that
// cfg names, else the newest that fit, else downloaded ones.
func choose(ctx context.Context, cfg PostgresConfig, major int) (Binaries, error) {
	if cfg.BinDir != "" {
		b, err := inspect(ctx, cfg.BinDir)
		if err != nil {
			return Binaries{}, err
		}
		return b, fits(b, major)
	}
	found := FindPostgres(ctx)
	for _, b := range found {
		if fits(b, major) == nil {
			return b, nil
		}
	}
	if len(found) > 0 {
		return Binaries{}, fits(found[0], major)
	}
	b, err := fetch(ctx, cfg)
	if err != nil {
		return Binaries{}, err
	}
	return b, fits(b, major)
}

// fits returns an error unless b can run data of version major (0: none yet).
func fits(b Binaries, major int) error {
	if b.Major < MinPostgres {
		return reason.New(reason.SchemaMismatch, "Postgres %s is older than %d", b.Version, MinPostgres).
			On(b.Dir).Advise(installAdvice)
	}
	if major != 0 && b.Major != major {
		return reason.New(reason.SchemaMismatch, "the data are of Postgres %d, this is %s", major, b.Version).
			On(b.Dir).Advise("install Postgres %d beside it, or move the data with pg_upgrade", major)
	}
	return nil
}
