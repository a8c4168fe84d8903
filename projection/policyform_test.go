package projection_test

import (
	"reflect"
	"testing"
	"time"

	"consilience/projection"
)

// A policy that is written comes back as it was, each member moved from its default.
func TestPolicyFileComesBack(t *testing.T) {
	digest := projection.DigestOf([]byte("x"))
	key := projection.Pin{
		AdapterID: "urn:x:<a>", KeyID: "k", Status: projection.Revoked, ValidFrom: noon, ValidTo: noon.Add(time.Millisecond),
	}
	copy(key.Key[:], adapterKey()[32:])
	for _, p := range []projection.Policy{
		{Freshness: projection.Freshness{MaxCreationAge: 1e6, MaxTrustAge: 2e6, MaxTrustToCreation: 3e6}, Profiles: []projection.Profile{{Source: "s", Frame: "f"}}},
		{
			Pins: []projection.Pin{key}, Freshness: projection.Freshness{MaxCreationAge: 1e9, MaxTrustAge: 2e9, MaxTrustToCreation: 3e9, MaxSkew: 4e9},
			Profiles: []projection.Profile{{Source: "s", Frame: "f"}, {Source: "t", Frame: "g"}}, SingleUse: true,
			Expected: projection.Expected{RecallRequest: &digest, TrustSnapshot: &digest}, AllowDuplicates: true, RefuseImitations: true, AcceptOtherBodies: true,
		},
	} {
		back, err := projection.ParsePolicy(p.File())
		if err != nil || !reflect.DeepEqual(back, p) {
			t.Errorf("%s\n%s\n%v", p.File(), back.File(), err)
		}
	}
}
