package reconcile_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"consilience/internal/testkit"
	"consilience/reason"
)

// logServer is a NATS server in a process of its own.
type logServer struct {
	t      *testing.T
	cfg    childConfig
	server *testkit.Process
}

func startLog(t *testing.T) *logServer {
	t.Helper()
	l := &logServer{t: t, cfg: childConfig{
		Role: "nats", Dir: filepath.Join(t.TempDir(), "nats"), Listen: testkit.FreeAddresses(t, 1)[0], Secret: "a secret of the test",
	}}
	l.start()
	return l
}

func (l *logServer) start() {
	l.t.Helper()
	l.server = startChild(l.t, "", l.cfg)
	l.server.WaitLine("running")
}

func (l *logServer) url() string { return "nats://" + l.cfg.Listen }

// NATS is killed under a worker and comes back: what was acknowledged is merged,
// once.
func TestLogServerKilled(t *testing.T) {
	t.Parallel()
	l := startLog(t)
	w := newWorldOn(t, l.url(), l.cfg.Secret, testkit.Postgres(t, migrate).URL, "facts", "places")
	s := w.story(21)
	store := w.open(w.pgURL)
	w.worker(w.pgURL, "one", &logs{})
	for range 3 {
		s.tell(20)
		l.server.Kill()
		l.start()
		s.tell(20)
	}
	w.settle(store)
	s.allMerged(store)
	w.sameAsReplay(store)
}

// A log that was restored from an older copy stops the partitions that had read
// beyond it, says so, and skips nothing; with the newest copy they go on.
func TestRestoredLogStops(t *testing.T) {
	t.Parallel()
	l := startLog(t)
	w := newWorldOn(t, l.url(), l.cfg.Secret, testkit.Postgres(t, migrate).URL, "facts", "places")
	s := w.story(22)
	store := w.open(w.pgURL)
	out := &logs{}
	worker, _ := w.worker(w.pgURL, "one", out)
	s.tell(20)
	w.settle(store)
	older, newest := filepath.Join(t.TempDir(), "older"), filepath.Join(t.TempDir(), "newest")
	l.copyTo(older)
	s.tell(40)
	w.settle(store)
	l.copyTo(newest)

	l.replaceBy(older)
	s.tell(60) // other entries, under numbers that were merged already
	testkit.Eventually(t, patience, "the partitions are stopped", func() bool {
		return w.count(store, "SELECT count(*) FROM consilience.position WHERE stopped LIKE 'log_restored%'") > 0
	})
	at := w.count(store, "SELECT sum(seq) FROM consilience.position")
	for _, why := range worker.Metrics().Stopped() {
		if !strings.HasPrefix(why, string(reason.LogRestored)) {
			t.Errorf("stopped for %q", why)
		}
	}
	health := httptest.NewRecorder()
	worker.HTTP().ServeHTTP(health, httptest.NewRequest("GET", "/healthz", nil))
	if health.Code != http.StatusServiceUnavailable || !json.Valid(health.Body.Bytes()) {
		t.Errorf("/healthz: %d %s", health.Code, health.Body)
	}
	if !strings.Contains(out.String(), "partition stopped") {
		t.Error("the log says nothing of the stop")
	}

	l.replaceBy(newest)
	testkit.Eventually(t, patience, "no partition is stopped", func() bool {
		return w.count(store, "SELECT count(*) FROM consilience.position WHERE stopped <> ''") == 0
	})
	if now := w.count(store, "SELECT sum(seq) FROM consilience.position"); now != at {
		t.Errorf("positions moved from %d to %d over a restored log", at, now)
	}
	w.sameAsReplay(store)
}

// A worker that is started on another store's log refuses to run.
func TestForeignLogIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts")
	other := w.config()
	other.StoreID[0] ^= 1
	worker := w.newWorker(other)
	if err := worker.Run(t.Context()); reason.Of(err) != reason.StreamForeign {
		t.Errorf("run: %v, want %s", err, reason.StreamForeign)
	}
}

// copyTo stops the server and copies its folder.
func (l *logServer) copyTo(dir string) {
	l.t.Helper()
	l.server.Kill()
	if err := os.CopyFS(dir, os.DirFS(l.cfg.Dir)); err != nil {
		l.t.Fatal(err)
	}
	l.start()
}

// replaceBy starts the server on a copy of its folder.
func (l *logServer) replaceBy(dir string) {
	l.t.Helper()
	l.server.Kill()
	if err := os.RemoveAll(l.cfg.Dir); err != nil {
		l.t.Fatal(err)
	}
	if err := os.CopyFS(l.cfg.Dir, os.DirFS(dir)); err != nil {
		l.t.Fatal(err)
	}
	l.start()
}
