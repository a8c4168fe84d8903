package registry

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"consilience/reason"
)

// asNobody runs f without the right to write where it may read, also where tests run
// as root. The thread ends with its goroutine.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	const nobody = 65534
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if os.Getuid() == 0 {
			if _, _, errno := syscall.RawSyscall(syscall.SYS_SETFSUID, nobody, 0, 0); errno != 0 {
				t.Error(errno)
				return
			}
		}
		f()
	}()
	<-done
}

// P-84: a use that could not be written is none, and the record is not accepted; what
// cannot be forgotten stays.
func TestReadOnlyFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "uses")
	f := open(t, dir)
	if err := f.Register(context.Background(), use("urn:x:1", 5)); err != nil {
		t.Fatal(err)
	}
	// The temporary folder above is of mode 0700 and root's.
	for _, d := range []string{dir, filepath.Dir(dir), filepath.Dir(filepath.Dir(dir))} {
		if err := os.Chmod(d, 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(d, 0o700) })
	}
	asNobody(t, func() {
		if _, err := os.ReadDir(dir); err != nil {
			t.Errorf("the folder cannot be read, so that this test says nothing: %v", err)
		}
		if err := f.Register(context.Background(), use("urn:x:2", 5)); err == nil || reason.Of(err) != "" {
			t.Errorf("a use that was not written: %v", err)
		}
		if err := f.Prune(noon.Add(time.Hour)); err == nil {
			t.Error("forgot without a floor")
		}
	})
	if err := f.Register(context.Background(), use("urn:x:2", 5)); err != nil {
		t.Error(err)
	}
}
