package embedded

import (
	"crypto/ed25519"
	"crypto/subtle"
	"encoding/base64"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"consilience/identity"
)

// Role is what a client of the embedded NATS may do.
type Role int

const (
	// RoleStranger is refused. It is the zero Role.
	RoleStranger Role = iota
	// RoleContributor may send its own deltas and requests and hear its own outcomes.
	RoleContributor
	// RoleCore is the service or an operator: the whole log. What it may change is
	// ruled by signatures, not here.
	RoleCore
)

// Client says who holds a key.
type Client struct {
	Role Role
	// ID is the contributor's id, which stays when its keys rotate.
	ID identity.ID
	// Spaces are the spaces a contributor may send deltas to; nil means every space.
	Spaces []string
}

// anyContributor is the Identify of a server that knows nobody: every key is a
// contributor of its own, and the merge decides what it is worth.
func anyContributor(key identity.KeyID) Client {
	return Client{Role: RoleContributor, ID: identity.ID(key)}
}

// gate lets a client in by the Ed25519 key with which it signs the server's nonce,
// or by the secret that only this process knows. It implements server.Authentication.
type gate struct {
	secret      string
	identify    func(identity.KeyID) Client
	core, fleet *server.Account
}

// Check lets c in or not, and maps it to its account and permissions.
func (g *gate) Check(c server.ClientAuthentication) bool {
	opts := c.GetOpts()
	if opts.Nkey == "" {
		return g.checkSecret(c, opts.Password)
	}
	key, ok := provenKey(opts.Nkey, opts.Sig, c.GetNonce())
	if !ok {
		return false
	}
	client := g.identify(key.KeyID())
	switch client.Role {
	case RoleCore:
		c.RegisterUser(&server.User{Username: "core", Account: g.core})
	case RoleContributor:
		c.RegisterUser(&server.User{Username: client.ID.Token(), Account: g.fleet, Permissions: permissions(client)})
	default:
		return false
	}
	return true
}

func (g *gate) checkSecret(c server.ClientAuthentication, secret string) bool {
	if subtle.ConstantTimeCompare([]byte(secret), []byte(g.secret)) != 1 {
		return false
	}
	c.RegisterUser(&server.User{Username: "core", Account: g.core})
	return true
}

// provenKey returns the key of nkey if sig is its signature over nonce.
func provenKey(nkey, sig string, nonce []byte) (identity.PublicKey, bool) {
	raw, err := nkeys.Decode(nkeys.PrefixByteUser, []byte(nkey))
	if err != nil {
		return identity.PublicKey{}, false
	}
	key, err := identity.NewPublicKey(raw)
	if err != nil {
		return identity.PublicKey{}, false
	}
	signature, err := base64.RawURLEncoding.DecodeString(sig)
	if err != nil {
		return identity.PublicKey{}, false
	}
	return key, ed25519.Verify(key[:], nonce, signature)
}

// permissions narrow a contributor to its own id. The subscription to its own inbox
// is what carries acknowledgements and replies back.
func permissions(c Client) *server.Permissions {
	id := c.ID.Token()
	publish := []string{"mem.api.*." + id}
	if c.Spaces == nil {
		publish = append(publish, "mem.space.*.delta."+id)
	}
	for _, space := range c.Spaces {
		publish = append(publish, "mem.space."+space+".delta."+id)
	}
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: publish},
		Subscribe: &server.SubjectPermission{Allow: []string{"mem.outcome." + id, "_INBOX_" + id + ".>"}},
	}
}
