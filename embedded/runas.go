package embedded

import (
	"os"
	"os/user"
	"strconv"
	"syscall"

	"consilience/reason"
)

// runners are the users as whom Postgres runs where this process is root, in the
// order they are tried. No user is ever created.
var runners = []string{"postgres", "nobody"}

// runner is a user as whom Postgres runs. A nil runner is this process's own user.
type runner struct {
	name     string
	uid, gid uint32
}

// chooseRunner returns the user as whom Postgres runs on dataDir. Postgres refuses
// to run as root, so root picks another: the owner of existing data, so that a
// folder started by a person goes on under sudo; else the first of [runners] that
// the machine has. Everybody else is their own runner.
func chooseRunner(dataDir string) (*runner, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	if owner := ownerOf(dataDir); owner != nil {
		return owner, nil
	}
	for _, name := range runners {
		if u, err := user.Lookup(name); err == nil {
			return parseRunner(u)
		}
	}
	return nil, reason.New(reason.NotFound, "Postgres does not run as root and there is no user postgres or nobody").
		Advise("run as another user, or create one: useradd --system postgres")
}

func parseRunner(u *user.User) (*runner, error) {
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, reason.Wrap(reason.NotFound, err, "user id is not a number").On(u.Username)
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, reason.Wrap(reason.NotFound, err, "group id is not a number").On(u.Username)
	}
	return &runner{name: u.Username, uid: uint32(uid), gid: uint32(gid)}, nil
}

// ownerOf returns the owner of an existing folder, nil if there is none or it is root.
func ownerOf(dir string) *runner {
	info, err := os.Stat(dir)
	if err != nil {
		return nil
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || st.Uid == 0 {
		return nil
	}
	return &runner{name: strconv.Itoa(int(st.Uid)), uid: st.Uid, gid: st.Gid}
}

// attributes start a child in a process group of its own, so that Ctrl-C on a
// terminal reaches only this process, which then stops the child cleanly.
func (r *runner) attributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if r != nil {
		attr.Credential = &syscall.Credential{Uid: r.uid, Gid: r.gid}
	}
	return attr
}

// mkdir makes dir, readable only by the runner; one that exists stays as it is.
func (r *runner) mkdir(dir string) error {
	err := os.Mkdir(dir, 0o700)
	if os.IsExist(err) {
		return nil
	}
	if err != nil {
		return reason.Wrap(reason.Unreachable, err, "cannot make the folder").On(dir)
	}
	return r.own(dir)
}

// own hands path to the runner.
func (r *runner) own(path string) error {
	if r == nil {
		return nil
	}
	if err := os.Chown(path, int(r.uid), int(r.gid)); err != nil {
		return reason.Wrap(reason.Unreachable, err, "cannot hand over to user %s", r.name).On(path)
	}
	return nil
}

// traverses reports whether the runner may pass through every folder of dir, an
// absolute path without symbolic links.
func (r *runner) traverses(dir string) bool {
	if r == nil {
		return true
	}
	for _, d := range ancestors(dir) {
		info, err := os.Stat(d)
		if err != nil || !r.passes(info) {
			return false
		}
	}
	return true
}

func (r *runner) passes(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	mode := info.Mode().Perm()
	switch {
	case ok && st.Uid == r.uid:
		return mode&0o100 != 0
	case ok && st.Gid == r.gid:
		return mode&0o010 != 0
	default:
		return mode&0o001 != 0
	}
}
