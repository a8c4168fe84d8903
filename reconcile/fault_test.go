package reconcile_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"consilience/command"
	"consilience/delta"
	"consilience/embedded"
	"consilience/internal/testkit"
	"consilience/reason"
)

// A connection that is cut before the commit reaches the server, and one that is
// cut after it, both end where a clean run ends: the position says which happened.
func TestConnectionCutDuringCommit(t *testing.T) {
	t.Parallel()
	for name, cut := range map[string]func(*testkit.Proxy) <-chan struct{}{
		"before": func(p *testkit.Proxy) <-chan struct{} { return p.CutBefore("commit") },
		"after":  func(p *testkit.Proxy) <-chan struct{} { return p.CutAfter("commit") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "facts", "places")
			s := w.story(11)
			proxy, through := testkit.PostgresProxy(t, w.pgURL)
			store := w.open(w.pgURL)
			w.worker(through, "one", &logs{})
			for range 5 {
				s.tell(10)
				cutNow := cut(proxy)
				s.tell(10)
				select {
				case <-cutNow:
				case <-t.Context().Done():
				}
			}
			w.settle(store)
			s.allMerged(store)
			w.sameAsReplay(store)
		})
	}
}

// A connection that is cut anywhere in a transaction.
func TestConnectionCutAnywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts", "places")
	s := w.story(12)
	proxy, through := testkit.PostgresProxy(t, w.pgURL)
	store := w.open(w.pgURL)
	w.worker(through, "one", &logs{})
	for i := range 30 {
		cutNow := proxy.CutAtByte(int64(1 + i*797))
		s.tell(5)
		<-cutNow
	}
	w.settle(store)
	s.allMerged(store)
	w.sameAsReplay(store)
}

// Postgres is killed under a worker and comes back.
func TestPostgresKilled(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(testkit.Dir(t), "postgres")
	server := testkit.PostgresServer(t, dir)
	w, s := worldOnServer(t, server)
	store := w.open(w.pgURL)
	w.worker(w.pgURL, "one", &logs{})
	for range 3 {
		s.tell(20)
		server.Kill()
		<-server.Done()
		s.tell(20)
		server = testkit.PostgresServer(t, dir)
	}
	w.settle(store)
	s.allMerged(store)
	w.sameAsReplay(store)
}

// Two workers against one log and one store, each stopped and started again while
// deltas come in.
func TestWorkersShare(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts", "places", "people", "things")
	s := w.story(13)
	store := w.open(w.pgURL)
	out := &logs{}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(out)
		}
	})
	names := []string{"one", "two", "three"}
	stops := map[string]func(){}
	for i := range 12 {
		name := names[i%3]
		if stop := stops[name]; stop != nil {
			stop()
		}
		s.tell(10)
		_, stops[name] = w.worker(w.pgURL, fmt.Sprintf("%s-%d", name, i), out)
		s.tell(20)
	}
	w.settle(store)
	s.allMerged(store)
	w.sameAsReplay(store)
}

// An entry that fails every time stops its partition, after all before it were
// merged, and nothing is set aside; the others go on. When the cause is gone, so is
// the stop.
func TestEntryThatFailsStopsItsPartition(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts", "places")
	if command.Partition("facts") == command.Partition("places") {
		t.Fatal("the test needs spaces of two partitions")
	}
	alice := w.enroll("alice")
	store := w.open(w.pgURL)
	trap := func(sql string) {
		t.Helper()
		if _, err := store.Pool().Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	trap(`CREATE FUNCTION trap() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF NEW.content = convert_to('the seventh', 'UTF8') THEN RAISE EXCEPTION 'trapped' USING ERRCODE = '22000'; END IF;
		RETURN NEW; END $$`)
	trap(`CREATE TRIGGER trap BEFORE INSERT ON consilience.record FOR EACH ROW EXECUTE FUNCTION trap()`)

	var ids []delta.ID
	texts := strings.Fields("first second third fourth fifth sixth seventh eighth ninth")
	for _, text := range texts {
		ids = append(ids, alice.send("facts", alice.text("the "+text)))
	}
	elsewhere := alice.send("places", alice.text("somewhere else"))
	out := &logs{}
	worker, _ := w.worker(w.pgURL, "one", out)
	testkit.Eventually(t, patience, "the partition is stopped", func() bool {
		return strings.HasPrefix(worker.Metrics().Stopped()[command.Partition("facts")], string(reason.PartitionHalted))
	})
	testkit.Eventually(t, patience, "the stop is marked in the store", func() bool {
		return w.count(store, "SELECT count(*) FROM consilience.position WHERE stopped LIKE 'partition_stopped%'") == 1
	})
	got := alice.outcomes(store, "facts", ids...)
	for i, id := range ids {
		if _, merged := got[id]; merged != (i < 6) {
			t.Errorf("delta %d of 9: merged = %v", i+1, merged)
		}
	}
	testkit.Eventually(t, patience, "the other partition goes on", func() bool {
		return len(alice.outcomes(store, "places", elsewhere)) == 1
	})
	if n := w.count(store, "SELECT count(*) FROM consilience.rejection"); n != 0 {
		t.Errorf("%d entries were set aside", n)
	}
	if said := strings.Count(out.String(), "partition stopped"); said != 1 {
		t.Errorf("the stop was said %d times", said)
	}

	trap("DROP TRIGGER trap ON consilience.record")
	w.settle(store)
	if n := len(worker.Metrics().Stopped()); n != 0 {
		t.Errorf("%d partitions still stand still", n)
	}
	w.sameAsReplay(store)
}

// worldOnServer is a world whose store lies on a Postgres of its own.
func worldOnServer(t *testing.T, server *embedded.Postgres) (*world, *story) {
	t.Helper()
	if err := server.CreateDatabase(t.Context(), "store"); err != nil {
		t.Fatal(err)
	}
	url := server.URL("store")
	if err := migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	n := testkit.NATS(t)
	w := newWorldOn(t, n.URL(), n.Secret(), url, "facts", "places")
	return w, w.story(14)
}
