package bus_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/nats-io/nats.go"

	"consilience/bus"
	"consilience/embedded"
	"consilience/internal/testkit"
	"consilience/reason"
)

// serverDir and serverListen, when set, make this test binary a NATS server, to be
// killed.
const (
	serverDir    = "BUS_TEST_SERVER_DIR"
	serverListen = "BUS_TEST_SERVER_LISTEN"
	serverSecret = "secret"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(serverDir); dir != "" {
		cfg := embedded.NATSConfig{Dir: dir, Listen: os.Getenv(serverListen), Secret: serverSecret}
		if _, err := embedded.StartNATS(cfg); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("up")
		select {}
	}
	os.Exit(m.Run())
}

// Everything that was acknowledged is there after a kill -9 of the server, single
// entries and batches, and a reader that was at work goes on without a gap.
func TestAcknowledgedSurvivesKill(t *testing.T) {
	t.Parallel()
	env := []string{serverDir + "=" + t.TempDir(), serverListen + "=" + testkit.FreeAddresses(t, 1)[0]}
	serve := func() *testkit.Process {
		p := testkit.Start(t, env, os.Args[0])
		p.WaitLine("up")
		return p
	}
	server := serve()
	url := "nats://" + env[1][len(serverListen)+1:]
	b, err := bus.Open(within(t), url, bus.Options{NATS: []nats.Option{nats.UserInfo("core", serverSecret)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	if err := b.EnsureStream(within(t)); err != nil {
		t.Fatal(err)
	}
	r, next := b.FleetReader(bus.Position{}), uint64(1)
	for round := range 3 {
		acknowledged := publishSome(t, b, round)
		server.Kill()
		server = serve()
		for next <= acknowledged {
			batch, err := r.Next(within(t))
			if err != nil && reason.Of(err) != reason.Unreachable {
				t.Fatal(err)
			}
			for _, e := range batch {
				if e.Seq != next {
					t.Fatalf("read %d, want %d", e.Seq, next)
				}
				next++
			}
		}
	}
}

// publishSome publishes a batch and single entries and returns the last sequence.
func publishSome(t *testing.T, b *bus.Bus, round int) (last uint64) {
	t.Helper()
	subject := "mem.fleet.space." + author.Token()
	var msgs []bus.Msg
	for i := range 50 {
		msgs = append(msgs, bus.Msg{Subject: subject, Data: fmt.Append(nil, round, i)})
	}
	if _, err := b.PublishBatch(within(t), msgs); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		seq, err := b.Publish(within(t), subject, fmt.Append(nil, round, "single", i))
		if err != nil {
			t.Fatal(err)
		}
		last = seq
	}
	return last
}
