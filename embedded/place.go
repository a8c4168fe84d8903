package embedded

import (
	"os"
	"path/filepath"
	"strings"

	"consilience/reason"
)

// maxSocketPath is the longest path of a unix socket in bytes: 108 with its final
// zero on Linux, 104 on macOS.
const maxSocketPath = 103

// socketName is the file that Postgres listens on within its socket folder.
const socketName = ".s.PGSQL.5432"

// elsewhere holds the data of folders that another user cannot reach, unless they are
// temporary ones.
var elsewhere = "/var/lib/consilience"

// refuge is where the data of dir go if the runner cannot reach dir.
func refuge(dir string) string {
	if temp, err := filepath.EvalSymlinks(os.TempDir()); err == nil && strings.HasPrefix(dir, temp+"/") {
		return temp
	}
	return elsewhere
}

// ancestors returns dir and every folder above it.
func ancestors(dir string) []string {
	all := []string{dir}
	for parent := filepath.Dir(dir); parent != dir; parent = filepath.Dir(dir) {
		all = append(all, parent)
		dir = parent
	}
	return all
}

// place makes dir and returns where it really lies. Root hands it to the runner. If
// the runner cannot reach it (a folder under /root, mode 0700), the data lie under
// /var/lib/consilience, or in the folder for temporary files if dir does, and dir
// becomes a symbolic link to them; nobody's permissions are widened.
func place(dir string, r *runner) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", reason.Wrap(reason.UsageError, err, "not a folder").On(dir)
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real, reachable(real, r)
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
		return "", reason.Wrap(reason.Unreachable, err, "cannot make the folder").On(dir)
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err != nil {
		return "", reason.Wrap(reason.Unreachable, err, "cannot resolve the folder").On(dir)
	}
	real := filepath.Join(parent, filepath.Base(abs))
	if r.traverses(parent) {
		return real, r.mkdir(real)
	}
	return relocate(real, r)
}

func reachable(real string, r *runner) error {
	if r.traverses(real) {
		return nil
	}
	return reason.New(reason.Unreachable, "user %s cannot reach the folder", r.name).On(real).
		Advise("name another folder, or let that user pass through the folders above it")
}

// relocate makes a folder that the runner can reach, and link a symbolic link to it.
func relocate(link string, r *runner) (string, error) {
	parent := refuge(link)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", reason.Wrap(reason.Unreachable, err, "cannot make the folder").On(parent)
	}
	real, err := os.MkdirTemp(parent, "consilience-postgres-")
	if err != nil {
		return "", reason.Wrap(reason.Unreachable, err, "cannot make a folder").On(parent)
	}
	if err := r.own(real); err != nil {
		return "", err
	}
	if err := os.Remove(link); err != nil && !os.IsNotExist(err) {
		return "", reason.Wrap(reason.Unreachable, err, "cannot replace the link").On(link)
	}
	if err := os.Symlink(real, link); err != nil {
		return "", reason.Wrap(reason.Unreachable, err, "cannot make the link").On(link)
	}
	return real, reachable(real, r)
}

// socketFolder returns a private folder for the socket: run within dir, or where
// that is too deep for a socket a new one under [os.TempDir], which is temporary.
func socketFolder(dir string, r *runner) (path string, temporary bool, err error) {
	run := filepath.Join(dir, "run")
	if len(filepath.Join(run, socketName)) <= maxSocketPath {
		return run, false, r.mkdir(run)
	}
	run, err = os.MkdirTemp("", "consilience-")
	if err != nil {
		return "", false, reason.Wrap(reason.Unreachable, err, "cannot make a folder for the socket")
	}
	return run, true, r.own(run)
}
