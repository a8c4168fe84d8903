package reconcile

import (
	"testing"
	"time"

	"consilience/identity"
)

func TestNonceIsFreshOnce(t *testing.T) {
	t.Parallel()
	n := newNonces(2 * time.Minute)
	start := time.Unix(1_800_000_000, 0)
	alice, bob := identity.ID{1}, identity.ID{2}
	for _, step := range []struct {
		who   identity.ID
		nonce byte
		after time.Duration
		fresh bool
	}{
		{alice, 1, 0, true},
		{alice, 1, time.Second, false},
		{bob, 1, time.Second, true}, // nonces are each contributor's own
		{alice, 2, 3 * time.Minute, true},
		// A request made two minutes ahead of this clock is accepted until four minutes later.
		{alice, 1, 4 * time.Minute, false},
		{alice, 1, 9 * time.Minute, false},
		{alice, 3, 14 * time.Minute, true},
		{alice, 2, 30 * time.Minute, true}, // long forgotten, and long stale
	} {
		if got := n.fresh(step.who, [16]byte{step.nonce}, start.Add(step.after)); got != step.fresh {
			t.Errorf("nonce %d after %v: fresh = %v", step.nonce, step.after, got)
		}
	}
}

// What is remembered does not grow with the number of requests either.
func TestNoncesAreBounded(t *testing.T) {
	t.Parallel()
	n := newNonces(2 * time.Minute)
	at := time.Unix(1_800_000_000, 0)
	for i := range 3 * maxNonces {
		n.fresh(identity.ID{1}, [16]byte{byte(i), byte(i >> 8), byte(i >> 16)}, at)
	}
	if kept := len(n.young) + len(n.old); kept > 2*maxNonces {
		t.Errorf("%d nonces kept", kept)
	}
}

// What is remembered does not grow with time.
func TestNoncesAreForgotten(t *testing.T) {
	t.Parallel()
	n := newNonces(2 * time.Minute)
	at := time.Unix(1_800_000_000, 0)
	for i := range 10_000 {
		n.fresh(identity.ID{1}, [16]byte{byte(i), byte(i >> 8)}, at)
		at = at.Add(time.Second)
	}
	if kept := len(n.young) + len(n.old); kept > 600 {
		t.Errorf("%d nonces kept after hours", kept)
	}
}
