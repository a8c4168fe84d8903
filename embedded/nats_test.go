package embedded_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"consilience/embedded"
	"consilience/internal/testkit"
	"consilience/reason"
)

func TestNATSSaysWhyItDoesNotStart(t *testing.T) {
	t.Parallel()
	n := testkit.NATS(t)
	taken := strings.TrimPrefix(n.URL(), "nats://")
	for listen, want := range map[string]struct {
		code reason.Code
		text string
	}{
		taken:             {reason.Unreachable, "in use"},
		"nowhere":         {reason.UsageError, "host:port"},
		"127.0.0.1:x":     {reason.UsageError, "port"},
		"127.0.0.1:70000": {reason.UsageError, "port"},
	} {
		_, err := embedded.StartNATS(embedded.NATSConfig{Dir: filepath.Join(t.TempDir(), "nats"), Listen: listen})
		if reason.Of(err) != want.code || !strings.Contains(err.Error(), want.text) {
			t.Errorf("%s: %v", listen, err)
		}
	}
}

// A client of this process needs no socket, and nobody else has its login.
func TestInProcess(t *testing.T) {
	t.Parallel()
	n, other := testkit.NATS(t), testkit.NATS(t)
	nc, err := nats.Connect("", n.InProcess()...)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := nc.JetStream()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.AccountInfo(); err != nil {
		t.Errorf("no JetStream: %v", err)
	}
	if _, err := nats.Connect(n.URL(), other.Login()...); !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("another server's login: %v", err)
	}
	if _, err := nats.Connect(n.URL(), nats.UserInfo("core", "")); !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("no password: %v", err)
	}
}
