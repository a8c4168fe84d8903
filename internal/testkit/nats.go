package testkit

import (
	"fmt"
	"net"
	"path/filepath"
	"testing"
	"time"

	"consilience/embedded"
)

// NATS starts a server for this test, in a folder of its own and on a free port.
// change may alter its configuration.
func NATS(t testing.TB, change ...func(*embedded.NATSConfig)) *embedded.NATS {
	t.Helper()
	cfg := embedded.NATSConfig{Dir: filepath.Join(t.TempDir(), "nats")}
	for _, c := range change {
		c(&cfg)
	}
	return startNATS(t, cfg)
}

func startNATS(t testing.TB, cfg embedded.NATSConfig) *embedded.NATS {
	t.Helper()
	n, err := embedded.StartNATS(cfg)
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	t.Cleanup(n.Stop)
	return n
}

// clusterPatience is how long three servers may take to elect a leader.
const clusterPatience = 30 * time.Second

// Cluster starts three servers that replicate the log; one login works on all.
func Cluster(t testing.TB) []*embedded.NATS {
	t.Helper()
	peers := FreeAddresses(t, 3)
	var servers []*embedded.NATS
	for i, listen := range peers {
		n := NATS(t, func(cfg *embedded.NATSConfig) {
			cfg.Name = fmt.Sprintf("server-%d", i)
			cfg.Cluster = &embedded.ClusterConfig{Name: "test", Listen: listen, Peers: peers}
			if i > 0 {
				cfg.Secret = servers[0].Secret()
			}
		})
		servers = append(servers, n)
	}
	Eventually(t, clusterPatience, "the cluster has a leader", func() bool {
		for _, n := range servers {
			if !n.ClusterReady() {
				return false
			}
		}
		return true
	})
	return servers
}

// FreeAddresses returns n addresses of this machine that nobody listens on.
func FreeAddresses(t testing.TB, n int) []string {
	t.Helper()
	var addresses []string
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatalf("testkit: %v", err)
		}
		defer l.Close()
		addresses = append(addresses, l.Addr().String())
	}
	return addresses
}

// Eventually polls until done, and fails the test if it is not within patience. It
// is for conditions that nothing announces.
func Eventually(t testing.TB, patience time.Duration, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("testkit: not within %v: %s", patience, what)
		}
	}
}
