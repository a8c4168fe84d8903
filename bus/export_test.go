package bus

import (
	"testing"

	"github.com/nats-io/nats.go"

	"consilience/identity"
)

// KeyLogin is keyLogin for connections that tests make without the bus's care.
func KeyLogin(t testing.TB, key identity.PrivateKey) nats.Option {
	t.Helper()
	login, err := keyLogin(key)
	if err != nil {
		t.Fatal(err)
	}
	return login
}

// Plain is plain.
var Plain = plain
