package reconcile

import (
	"sync"
	"time"

	"consilience/identity"
)

// nonces remembers the requests that were authorised, for as long as their time
// would still be accepted. Only signed requests of known contributors get in.
type nonces struct {
	age time.Duration

	mu         sync.Mutex
	young, old map[nonceKey]struct{} // old ones were seen before the last turn
	turned     time.Time
}

type nonceKey struct {
	contributor identity.ID
	nonce       [16]byte
}

func newNonces(age time.Duration) *nonces {
	return &nonces{age: age, young: map[nonceKey]struct{}{}, old: map[nonceKey]struct{}{}}
}

// fresh reports whether the nonce was not seen, and remembers it. A time is
// accepted from one age before now to one after, so a nonce is kept for at least
// twice that.
func (n *nonces) fresh(contributor identity.ID, nonce [16]byte, now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if now.Sub(n.turned) > 2*n.age {
		n.young, n.old, n.turned = map[nonceKey]struct{}{}, n.young, now
	}
	k := nonceKey{contributor, nonce}
	_, a := n.young[k]
	_, b := n.old[k]
	n.young[k] = struct{}{}
	return !a && !b
}
