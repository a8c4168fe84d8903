package reconcile

import (
	"sync"
	"time"

	"consilience/identity"
)

// maxNonces bounds what one turn remembers. Who asks faster than that, some 500
// times a second, may be answered twice.
const maxNonces = 1 << 17

// nonces remembers the requests that were authorised, for as long as their time
// would still be accepted. Only signed requests get in. Each process remembers its
// own: no verb does harm when it is done twice.
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
	if now.Sub(n.turned) > 2*n.age || len(n.young) >= maxNonces {
		n.young, n.old, n.turned = map[nonceKey]struct{}{}, n.young, now
	}
	k := nonceKey{contributor, nonce}
	_, a := n.young[k]
	_, b := n.old[k]
	n.young[k] = struct{}{}
	return !a && !b
}
