package agent_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"consilience/agent"
	"consilience/agent/agenttest"
	"consilience/command"
	"consilience/identity"
	"consilience/reason"
)

// TestRotateKeepsTheID: a contributor that goes on with its next key is the same
// contributor, also after its home was opened again (wire.md, Identity).
func TestRotateKeepsTheID(t *testing.T) {
	s := agenttest.Start(t)
	s.Serve()
	s.Space("plant")
	h := home(t, s, "turning")
	id := h.ID()
	if err := h.Rotate(); reason.Of(err) != reason.NotFound {
		t.Fatalf("rotated without a key to come: %v", err)
	}
	public, err := h.NextKey()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := h.NextKey(); err != nil || again != public {
		t.Fatalf("asked again: %q, %v", again, err)
	}
	file, err := os.ReadFile(public)
	if err != nil {
		t.Fatal(err)
	}
	key, err := identity.ParsePublic(file)
	if err != nil {
		t.Fatal(err)
	}
	s.Command(command.KindRotate, "", command.Rotate{Contributor: id, Key: key})
	s.Deltas() // returns when the log is merged
	if err := h.Rotate(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(h.Dir(), agent.NextKeyFile)); !os.IsNotExist(err) {
		t.Errorf("the next key is still to come: %v", err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	h, err = agent.Open(h.Dir(), agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	if h.ID() != id || h.Key().Public() != key {
		t.Fatalf("opened again it is %v with key %v", h.ID(), h.Key().Public().KeyID())
	}
	remember(t, h, "said with the second key")
	pushed, err := session(t, s, h).Push(context.Background(), "plant", 20*time.Second)
	if err != nil || len(pushed.Outcomes) != 1 || pushed.Outcomes[0].Status != command.StatusMerged {
		t.Fatalf("pushed %+v, %v", pushed, err)
	}
}
