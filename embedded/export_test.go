package embedded

import "testing"

// HidePostgres makes this machine one without Postgres, whose data folders for users
// other than root lie below dir, for the rest of the test.
func HidePostgres(t *testing.T, dir string) {
	t.Helper()
	t.Setenv("PATH", "/nowhere")
	t.Setenv("XDG_CACHE_HOME", dir)
	oldFolders, oldElsewhere := folders, elsewhere
	folders, elsewhere = nil, dir
	t.Cleanup(func() { folders, elsewhere = oldFolders, oldElsewhere })
}

// RelocateTo moves the data folders that another user cannot reach below dir.
func RelocateTo(t *testing.T, dir string) {
	t.Helper()
	old := elsewhere
	elsewhere = dir
	t.Cleanup(func() { elsewhere = old })
}
