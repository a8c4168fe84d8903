package agent_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"consilience/agent"
	"consilience/agent/agenttest"
	"consilience/bus"
	"consilience/command"
	"consilience/record"
)

// wait is how long a test waits for outcomes; it returns when they are there.
const wait = 20 * time.Second

// home makes a contributor that is enrolled for plant.
func home(t testing.TB, s *agenttest.Store, name string) *agent.Home {
	t.Helper()
	h, err := agent.Create(filepath.Join(t.TempDir(), name), agent.Options{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	if err := h.Bind(s.ID, s.URL); err != nil {
		t.Fatal(err)
	}
	s.Enroll(h.Key().Public(), name, "plant")
	return h
}

// session connects a home.
func session(t testing.TB, s *agenttest.Store, h *agent.Home, wrap ...func(agent.Link) agent.Link) *agent.Session {
	t.Helper()
	c, err := bus.DialContributor(t.Context(), s.URL, h.Key(), h.ID())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	link := agent.ContributorLink(c)
	for _, w := range wrap {
		link = w(link)
	}
	out, err := h.Connect(link)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func remember(t testing.TB, h *agent.Home, text string, refs ...record.ID) record.ID {
	t.Helper()
	w, err := h.Remember(context.Background(), agent.Draft{Content: []byte(text), Refs: refs})
	if err != nil {
		t.Fatal(err)
	}
	return w.Record.ID
}

// plant is a store with the space plant.
func plant(t testing.TB) *agenttest.Store {
	t.Helper()
	s := agenttest.Start(t)
	s.Space("plant")
	s.Serve()
	return s
}

// A record goes to the store, comes back to another contributor as an item of its
// slice, and a revision and an absence go the other way (N-11, N-44).
func TestRoundTripThroughAStore(t *testing.T) {
	t.Parallel()
	s := plant(t)
	alice, bob := home(t, s, "alice"), home(t, s, "bob")
	first := remember(t, alice, "the valve opens at 3 bar")
	second := remember(t, alice, "the pump is blue", first)
	p, err := session(t, s, alice).Push(t.Context(), "plant", wait)
	if err != nil || p.Published != 1 || len(p.Outcomes) != 1 || p.Outcomes[0].Status != command.StatusMerged {
		t.Fatalf("push: %+v, %v", p, err)
	}
	bobs := session(t, s, bob)
	pulled, err := bobs.Pull(t.Context(), "plant", wait)
	if err != nil || pulled.Items != 2 || pulled.Fetched != 2 {
		t.Fatalf("pull: %+v, %v", pulled, err)
	}
	if r, ok, err := bob.Get(t.Context(), second); err != nil || !ok || string(r.Content) != "the pump is blue" {
		t.Fatalf("fetched record: %+v, %v, %v", r, ok, err)
	}
	if _, err := bob.Revise(t.Context(), record.ItemID(first), agent.Draft{Content: []byte("the valve opens at 4 bar")}); err != nil {
		t.Fatal(err)
	}
	if spaces, err := bob.Forget(t.Context(), record.ItemID(second), 0, ""); err != nil || len(spaces) != 1 {
		t.Fatalf("forget: %v, %v", spaces, err)
	}
	p, err = bobs.Push(t.Context(), "plant", wait)
	if err != nil || len(p.Outcomes) != 1 || p.Outcomes[0].Status != command.StatusMerged {
		t.Fatalf("push: %+v, %v", p, err)
	}
	actions := map[command.Action]int{}
	for _, i := range p.Outcomes[0].Items {
		actions[i.Action]++
	}
	if actions[command.ActionDoubted] == 0 || len(p.Outcomes[0].Items) < 2 {
		t.Fatalf("a revision and an absence do %v", actions)
	}
	if c, err := bob.Diff(t.Context(), "plant"); err != nil || !c.Empty() {
		t.Fatalf("after the push there is still %+v, %v", c, err)
	}
}
