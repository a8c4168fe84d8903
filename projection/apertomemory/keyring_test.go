package apertomemory

import (
	"testing"

	"consilience/identity"
	"consilience/projection"
	"consilience/reason"
)

// P-49, S-6: a keyring is an instant; revoking an author is another keyring, under
// which the author's objects are nobody's.
func TestRevocation(t *testing.T) {
	object := forged(t, "author").seal(t)
	author := public(t, private("author"))
	c := Config{Owner: public(t, private("owner")), Accepted: []Accepted{{KeyIDOf(author), author}}, ObjectKeys: map[ObjectID][32]byte{testObject: testKey}}
	before, err := NewKeyring(c)
	if err != nil {
		t.Fatal(err)
	}
	snapshot := before.Snapshot()
	c.Accepted[0] = Accepted{}
	delete(c.ObjectKeys, testObject)
	if f, err := before.Open(object); err != nil || f.Trust != projection.Trusted || string(before.Snapshot()) != string(snapshot) {
		t.Errorf("the keyring changed: %v", err)
	}
	c.Accepted, c.ObjectKeys = nil, map[ObjectID][32]byte{testObject: testKey}
	after, err := NewKeyring(c)
	if err != nil {
		t.Fatal(err)
	}
	_, err = after.Open(object)
	wantRefused(t, err, projection.AuthenticationFailed)
	if string(after.Snapshot()) == string(snapshot) {
		t.Error("one snapshot for two trust states")
	}
}

// AP-14, S-17: eight bytes are short. Two keys with one id are refused, an id that is
// not its key's too, the same key twice is one.
func TestKeysWithOneID(t *testing.T) {
	a, b := public(t, private("a")), public(t, private("b"))
	owner := public(t, private("owner"))
	one := func(identity.PublicKey) KeyID { return KeyID{1} }
	_, err := newKeyring(Config{Owner: owner, Accepted: []Accepted{{KeyID{1}, a}}}, one)
	wantCode(t, err, reason.KeyInvalid)
	byOwner := func(k identity.PublicKey) KeyID {
		if k == owner {
			return KeyID{2}
		}
		return KeyID{1}
	}
	_, err = newKeyring(Config{Owner: owner, Accepted: []Accepted{{KeyID{1}, a}, {KeyID{1}, b}}}, byOwner)
	wantCode(t, err, reason.KeyInvalid)
	_, err = NewKeyring(Config{Owner: owner, Accepted: []Accepted{{KeyIDOf(a), b}}})
	wantCode(t, err, reason.KeyInvalid)
	k, err := NewKeyring(Config{Owner: owner, Accepted: []Accepted{{KeyIDOf(a), a}, {KeyIDOf(a), a}, {KeyIDOf(owner), owner}}})
	if err != nil || len(k.accepted) != 2 {
		t.Error(err)
	}
	for _, weak := range []identity.PublicKey{{}, {1}} { // AP-12
		_, err := NewKeyring(Config{Owner: weak})
		wantCode(t, err, reason.KeyInvalid)
		_, err = NewKeyring(Config{Owner: owner, Accepted: []Accepted{{KeyIDOf(weak), weak}}})
		wantCode(t, err, reason.KeyInvalid)
	}
}
