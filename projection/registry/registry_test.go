package registry

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"consilience/projection"
	"consilience/reason"
)

var noon = time.Date(2026, 7, 29, 12, 0, 0, 0, time.UTC)

func use(id string, minutes int) projection.Use {
	return used(id, minutes, minutes)
}

// used is a use of a record that was created and will be stale so many minutes after noon.
func used(id string, created, until int) projection.Use {
	return projection.Use{
		ProjectionID: id, Created: noon.Add(time.Duration(created) * time.Minute), Until: noon.Add(time.Duration(until) * time.Minute),
	}
}

func open(t *testing.T, dir string) *File {
	t.Helper()
	f, err := OpenFile(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// P-84, P-101, AP-15: of many uses at the same time exactly one wins, in every
// register and, on one folder, across registers.
func TestOneUseWins(t *testing.T) {
	dir := t.TempDir()
	for name, registers := range map[string][]projection.Registry{
		"memory": {&Memory{}},
		"file":   {open(t, dir), open(t, dir)},
	} {
		t.Run(name, func(t *testing.T) {
			var wg sync.WaitGroup
			errs := make([]error, 32)
			for i := range errs {
				wg.Go(func() {
					errs[i] = registers[i%len(registers)].Register(context.Background(), use("urn:x:1", 5))
				})
			}
			wg.Wait()
			won := 0
			for _, err := range errs {
				switch reason.Of(err) {
				case "":
					won++
				case projection.ProjectionReplay:
				default:
					t.Error(err)
				}
			}
			if won != 1 {
				t.Errorf("%d of %d uses won", won, len(errs))
			}
			if err := registers[0].Register(context.Background(), use("urn:x:2", 5)); err != nil {
				t.Error("another projection:", err)
			}
		})
	}
}

// P-84: a use outlives its process, and two processes do not both win.
func TestUseAcrossProcesses(t *testing.T) {
	if dir := os.Getenv("REGISTRY_TEST_DIR"); dir != "" {
		fmt.Println("code:" + string(reason.Of(open(t, dir).Register(context.Background(), use("urn:x:1", 5)))))
		return
	}
	dir := t.TempDir()
	outputs := make([]string, 4)
	var wg sync.WaitGroup
	for i := range outputs {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=TestUseAcrossProcesses")
			cmd.Env = append(os.Environ(), "REGISTRY_TEST_DIR="+dir)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%v: %s", err, out)
			}
			outputs[i], _, _ = strings.Cut(string(out), "\n")
		})
	}
	wg.Wait()
	counts := map[string]int{}
	for _, o := range outputs {
		counts[o]++
	}
	if counts["code:"] != 1 || counts["code:"+string(projection.ProjectionReplay)] != 3 {
		t.Errorf("%q", outputs)
	}
	if err := open(t, dir).Register(context.Background(), use("urn:x:1", 5)); reason.Of(err) != projection.ProjectionReplay {
		t.Error("after a restart:", err)
	}
}

// A process that died between the two halves of a registration has used the
// projection up: that side is the safe one.
func TestHalfARegistration(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	if err := f.Register(context.Background(), use("urn:x:1", 5)); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"+useSuffix))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := os.WriteFile(files[0], nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Prune(noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := f.Register(context.Background(), use("urn:x:1", 600)); reason.Of(err) != projection.ProjectionReplay {
		t.Error(err)
	}
}

// pruned are the registers that can forget.
func pruned(t *testing.T) map[string]struct {
	projection.Registry
	prune func(time.Time)
	kept  func() int
} {
	t.Helper()
	dir, m := t.TempDir(), &Memory{}
	f := open(t, dir)
	type register = struct {
		projection.Registry
		prune func(time.Time)
		kept  func() int
	}
	return map[string]register{
		"memory": {m, m.Prune, func() int { return len(m.uses) }},
		"file": {f, func(at time.Time) {
			if err := f.Prune(at); err != nil {
				t.Error(err)
			}
		}, func() int {
			files, err := filepath.Glob(filepath.Join(dir, "*"+useSuffix))
			if err != nil {
				t.Error(err)
			}
			return len(files)
		}},
	}
}

// P-100, P-102, AP-15: a use is forgotten when its record is stale and not before, and
// neither a clock that runs backwards afterwards nor a limit that grew revives it.
func TestPrune(t *testing.T) {
	for name, r := range pruned(t) {
		replayed := func(what string, u projection.Use) {
			t.Helper()
			if err := r.Register(context.Background(), u); reason.Of(err) != projection.ProjectionReplay {
				t.Errorf("%s: %s: %v", name, what, err)
			}
		}
		for id, minutes := range map[string]int{"urn:x:old": 5, "urn:x:older": 4, "urn:x:last": 10, "urn:x:new": 15} {
			if err := r.Register(context.Background(), use(id, minutes)); err != nil {
				t.Fatal(err)
			}
		}
		r.prune(noon.Add(10 * time.Minute))
		if kept := r.kept(); kept != 2 {
			t.Errorf("%s: %d uses are kept", name, kept)
		}
		r.prune(noon) // the floor does not fall again
		for range 2 {
			replayed("forgotten", use("urn:x:old", 5))
			replayed("kept", use("urn:x:new", 15))
			replayed("stale just when uses were forgotten", use("urn:x:last", 10))
			replayed("never seen, and as old", use("urn:x:unseen", 9))
			replayed("forgotten, and fresh by a longer limit", used("urn:x:older", 4, 500))
		}
		if err := r.Register(context.Background(), used("urn:x:fresh", 10, 11)); err != nil {
			t.Error(name, err)
		}
	}
}

// What stands in the folder beside the uses is left alone, and a floor that cannot be
// read lets nothing pass.
func TestForeignFiles(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	beside := filepath.Join(dir, "notes")
	if err := os.WriteFile(beside, []byte(noon.Format(time.RFC3339Nano)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Prune(noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(beside); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, floorFile), []byte("soon"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Register(context.Background(), use("urn:x:1", 500)); err == nil || reason.Of(err) != "" {
		t.Errorf("registered above a floor that cannot be read: %v", err)
	}
	if err := f.Prune(noon.Add(2 * time.Hour)); err == nil {
		t.Error("forgot under a floor that cannot be read")
	}
}

// P-42, P-104: the folder is private and shows no id.
func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "uses")
	if err := open(t, dir).Register(context.Background(), use("urn:x:secret", 5)); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Error(info.Mode(), err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatal(entries, err)
	}
	file, err := entries[0].Info()
	if err != nil || file.Mode().Perm() != 0o600 || strings.Contains(file.Name(), "secret") {
		t.Error(file.Name(), file.Mode(), err)
	}
}

// A folder that cannot be written is an error and no use.
func TestBrokenFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "uses")
	f := open(t, dir)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := f.Register(context.Background(), use("urn:x:1", 5)); err == nil || reason.Of(err) != "" {
		t.Error(err)
	}
	if err := f.Prune(noon); err == nil {
		t.Error("forgot in no folder")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/dev/null/uses", file} {
		if _, err := OpenFile(path); reason.Of(err) != reason.NotFound {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Who gave up has used nothing.
func TestGivenUp(t *testing.T) {
	f := open(t, t.TempDir())
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if err := f.Register(done, use("urn:x:1", 5)); err == nil {
		t.Error("registered after the caller gave up")
	}
	if err := f.Register(context.Background(), use("urn:x:1", 5)); err != nil {
		t.Error(err)
	}
}
