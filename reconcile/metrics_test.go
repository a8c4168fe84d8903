package reconcile_test

import (
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"consilience/internal/testkit"
)

// The counters are in the Prometheus text format and count what happened; no id
// and no content stands in them.
func TestMetrics(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts")
	alice, nobody := w.enroll("alice"), w.stranger("nobody")
	store := w.open(w.pgURL)
	worker, _ := w.worker(w.pgURL, "one", &logs{})
	alice.send("facts", alice.text("one"), alice.text("two"))
	nobody.send("facts", nobody.text("three"))
	w.settle(store)

	scrape := func() string {
		r := httptest.NewRecorder()
		worker.HTTP().ServeHTTP(r, httptest.NewRequest("GET", "/metrics", nil))
		return r.Body.String()
	}
	// The commit comes before the count.
	testkit.Eventually(t, patience, "all is counted", func() bool { return strings.Contains(scrape(), `rejections_total{reason="key_unknown"} 1`) })
	text := scrape()
	for _, want := range []string{
		"consilience_statements_total 2\n", `consilience_outcomes_total{status="merged"} 1`, `consilience_outcomes_total{status="rejected"} 1`,
		"# TYPE consilience_lag_seconds histogram", `consilience_merge_seconds_bucket{le="+Inf"}`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	line := regexp.MustCompile(`^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [0-9.e+-]+)$`)
	for l := range strings.Lines(text) {
		if !line.MatchString(strings.TrimSuffix(l, "\n")) {
			t.Errorf("not a line of the format: %q", l)
		}
	}
	if strings.Contains(text, alice.id.Token()) {
		t.Error("an id is in the metrics")
	}
	health := httptest.NewRecorder()
	worker.HTTP().ServeHTTP(health, httptest.NewRequest("GET", "/healthz", nil))
	if health.Code != 200 {
		t.Errorf("/healthz: %d %s", health.Code, health.Body)
	}
}
