package reconcile_test

import (
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"consilience/internal/testkit"
	"consilience/reconcile"
)

// natsProxy is the world seen through a proxy to its log: workers started on it
// reach the log by the proxy.
func (w *world) natsProxy() (*testkit.Proxy, *world) {
	w.t.Helper()
	u, err := url.Parse(w.natsURL)
	w.must(err)
	proxy, through := testkit.NewProxy(w.t, "tcp", u.Host), *w
	through.natsURL = "nats://" + proxy.Addr()
	return proxy, &through
}

// healthOf asks /healthz.
func healthOf(t *testing.T, worker *reconcile.Worker) (status int, failing map[string]string) {
	t.Helper()
	r := httptest.NewRecorder()
	worker.HTTP().ServeHTTP(r, httptest.NewRequest("GET", "/healthz", nil))
	var doc struct{ Failing map[string]string }
	if err := json.Unmarshal(r.Body.Bytes(), &doc); err != nil {
		t.Fatalf("/healthz: %v", err)
	}
	return r.Code, doc.Failing
}

// A process whose store or log is gone calls itself unwell, says what fails and
// why, and is well again once it works again, with something to merge or without.
func TestHealthSeesAnOutage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cut  func(*testing.T, *world) (p *testkit.Proxy, pgURL string, through *world)
		part string // what fails
	}{
		"postgres": {func(t *testing.T, w *world) (*testkit.Proxy, string, *world) {
			p, url := testkit.PostgresProxy(t, w.pgURL)
			return p, url, w
		}, "store"},
		"nats": {func(_ *testing.T, w *world) (*testkit.Proxy, string, *world) {
			p, through := w.natsProxy()
			return p, w.pgURL, through
		}, "partition "},
	} {
		for _, telling := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, "facts")
				s := w.story(21)
				direct := w.open(w.pgURL)
				proxy, pgURL, through := c.cut(t, w)
				clock, out := testkit.NewClock(time.Now()), &logs{}
				cfg := w.config()
				cfg.Beat, cfg.Recheck, cfg.Clock = 200*time.Millisecond, 200*time.Millisecond, clock
				cfg.Logger = slog.New(slog.NewTextHandler(out, nil))
				worker, _ := through.start(cfg, w.open(pgURL))
				s.tell(5)
				w.settle(direct)
				well := func() bool {
					status, failing := healthOf(t, worker)
					return status == http.StatusOK && len(failing) == 0
				}
				testkit.Eventually(t, patience, "it is well", well)

				proxy.Refuse(true)
				proxy.Cut()
				if telling {
					s.tell(5)
				}
				testkit.Eventually(t, patience, "it is unwell, and says of what", func() bool {
					clock.Advance(100 * time.Millisecond)
					status, failing := healthOf(t, worker)
					return status == http.StatusServiceUnavailable && slices.ContainsFunc(slices.Collect(maps.Keys(failing)), func(part string) bool {
						return strings.HasPrefix(part, c.part)
					})
				})
				_, failing := healthOf(t, worker)
				for part, why := range failing {
					if !strings.HasPrefix(why, "unreachable: ") && !strings.HasPrefix(why, "timed_out: ") {
						t.Errorf("%s fails for %q", part, why)
					}
				}

				proxy.Refuse(false)
				testkit.Eventually(t, patience, "it is well again", well)
				w.settle(direct)
				if text := out.String(); strings.Contains(text, `reason=""`) || !strings.Contains(text, "level=WARN") {
					t.Errorf("a warning without a reason, or none:\n%s", text)
				}
			})
		}
	}
}

// The connection to the log is cut while entries are read and outcomes published:
// nothing is lost, nothing is merged twice.
func TestNATSConnectionCut(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts", "places")
	s := w.story(22)
	proxy, through := w.natsProxy()
	store := w.open(w.pgURL)
	through.worker(w.pgURL, "one", &logs{})
	for range 5 {
		s.tell(10)
		proxy.Cut()
		outcome := proxy.CutBefore("mem.outcome.")
		s.tell(10)
		select {
		case <-outcome:
		case <-t.Context().Done():
		}
	}
	w.settle(store)
	s.allMerged(store)
	testkit.Eventually(t, patience, "every outcome is published", func() bool {
		return w.count(store, "SELECT count(*) FROM consilience.outcome WHERE NOT published") == 0
	})
	w.sameAsReplay(store)
}
