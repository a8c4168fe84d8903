package bus_test

import (
	"strings"
	"testing"

	"consilience/bus"
)

// The login key signs deltas too: nothing but a nonce gets its signature.
func TestOnlyANonceIsSigned(t *testing.T) {
	t.Parallel()
	for nonce, want := range map[string]bool{
		"8dXxYvK3kq_-A2c":         true,
		"":                        false,
		"\x84jSignature1":         false,
		"with space":              false,
		strings.Repeat("A", 65):   false,
		"mem.space.default.delta": false,
	} {
		if got := bus.Plain([]byte(nonce)); got != want {
			t.Errorf("%q: %v, want %v", nonce, got, want)
		}
	}
}
