package projection_test

import (
	"encoding/base64"
	"encoding/hex"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"consilience/identity"
	"consilience/projection"
	"consilience/reason"
)

// policyFile is the example of docs/projection.md without its optional members.
const policyFile = `{
  "pins": [{
    "adapter_id": "urn:apertomemory:adapter:reference-01",
    "key_id": "apertomemory-adapter-key-2026-07",
    "public_key": "08THovDNs4pMv1ARMiWEVyplc8KPSoa1ORtO4VksAAc",
    "status": "active",
    "valid_from": "2026-07-29T00:00:00Z",
    "valid_to": "2027-07-29T00:00:00Z"
  }],
  "freshness": {"max_creation_age_ms": 300000, "max_trust_age_ms": 300000, "max_trust_to_creation_ms": 60000},
  "profiles": [{"source_profile": "draft-ferro-apertomemory-02", "context_frame_profile": "urn:apertomemory:context-frame:v0"}],
  "single_use": false
}`

// The example in the documentation is a policy, and says what this one says.
func TestDocumentedPolicyFile(t *testing.T) {
	page, err := os.ReadFile("../docs/projection.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "## The policy is yours")
	_, rest, _ = strings.Cut(rest, "```json\n")
	example, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("no example in the page")
	}
	documented, err := projection.ParsePolicy([]byte(example))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := projection.ParsePolicy([]byte(policyFile))
	if err != nil || !reflect.DeepEqual(documented, plain) {
		t.Errorf("%+v, want %+v, %v", documented, plain, err)
	}
}

// The file says what the published policy says.
func TestPolicyFile(t *testing.T) {
	b := genuine(t)
	policy, err := projection.ParsePolicy([]byte(policyFile))
	if err != nil {
		t.Fatal(err)
	}
	b.policy = policy
	if err := b.verify(t); err != nil {
		t.Error(err)
	}
	if policy.Freshness.MaxTrustToCreation != time.Minute || policy.Freshness.MaxSkew != 0 || policy.AllowDuplicates {
		t.Errorf("%+v", policy)
	}
}

// Every optional member arrives where it belongs.
func TestPolicyFileOptions(t *testing.T) {
	digest := projection.DigestOf([]byte("x"))
	file := strings.Replace(policyFile, `"single_use": false`, `"single_use": true, "allow_duplicates": true, "refuse_imitations": true,
		"accept_other_bodies": true, "expected": {"recall_request_digest": "`+digest.String()+`", "selection_policy_digest": null}`, 1)
	file = strings.Replace(file, `"max_creation_age_ms"`, `"max_skew_ms": 5, "max_creation_age_ms"`, 1)
	p, err := projection.ParsePolicy([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if !p.SingleUse || !p.AllowDuplicates || !p.RefuseImitations || !p.AcceptOtherBodies || p.Freshness.MaxSkew != 5*time.Millisecond {
		t.Errorf("%+v", p)
	}
	for _, allowed := range []string{
		strings.Replace(policyFile, `"single_use": false`, `"single_use": false, "expected": { }`, 1),
		policyFile + strings.Repeat(" ", projection.MaxPolicyBytes-len(policyFile)),
	} {
		if _, err := projection.ParsePolicy([]byte(allowed)); err != nil {
			t.Error(err)
		}
	}
	if e := p.Expected; e.RecallRequest == nil || *e.RecallRequest != digest || e.SelectionPolicy != nil || e.TrustSnapshot != nil {
		t.Errorf("%+v", e)
	}
}

// P-16, P-33, P-70, P-71, AP-6, AP-12: a policy file is read as strictly as a record;
// limits cannot be left out, keys cannot be dishonest, trust cannot be mapped.
func TestHostilePolicyFiles(t *testing.T) {
	neutral := base64.RawURLEncoding.EncodeToString(append([]byte{1}, make([]byte, 31)...))
	for what, c := range map[string]struct {
		old, new string
		want     reason.Code
	}{
		"no creation limit":   {`"max_creation_age_ms": 300000, `, ``, reason.PolicyInvalid},
		"no trust limit":      {`"max_trust_age_ms": 300000, `, ``, reason.PolicyInvalid},
		"no distance limit":   {`, "max_trust_to_creation_ms": 60000`, ``, reason.PolicyInvalid},
		"limit of zero":       {`"max_trust_age_ms": 300000`, `"max_trust_age_ms": 0`, reason.PolicyInvalid},
		"limit null":          {`"max_trust_age_ms": 300000`, `"max_trust_age_ms": null`, reason.PolicyInvalid},
		"limit without end":   {`"max_trust_age_ms": 300000`, `"max_trust_age_ms": 9007199254740991`, reason.PolicyInvalid},
		"limit as text":       {`"max_trust_age_ms": 300000`, `"max_trust_age_ms": "300000"`, reason.PolicyInvalid},
		"limit with fraction": {`"max_trust_age_ms": 300000`, `"max_trust_age_ms": 300000.0`, reason.PolicyInvalid},
		"no pins member":      {`"pins": [`, `"pin": [`, reason.PolicyInvalid},
		"no profiles":         {`[{"source_profile": "draft-ferro-apertomemory-02", "context_frame_profile": "urn:apertomemory:context-frame:v0"}]`, `[]`, reason.PolicyInvalid},
		"no single use": {`,
  "single_use": false`, ``, reason.PolicyInvalid},
		"map of trust":         {`"single_use": false`, `"single_use": false, "trust": {"trusted": "self"}`, reason.PolicyInvalid},
		"duplicate":            {`"single_use": false`, `"single_use": false, "single_use": true`, reason.PolicyInvalid},
		"duplicate by escape":  {`"single_use": false`, `"single_use": false, "\u0073ingle_use": true`, reason.PolicyInvalid},
		"case twin":            {`"single_use"`, `"Single_use"`, reason.PolicyInvalid},
		"fold twin":            {`"key_id"`, "\"\u212aey_id\"", reason.PolicyInvalid},
		"other status":         {`"active"`, `"Active"`, reason.PolicyInvalid},
		"validity reversed":    {`"2027-07-29T00:00:00Z"`, `"2025-07-29T00:00:00Z"`, reason.PolicyInvalid},
		"validity with offset": {`"2027-07-29T00:00:00Z"`, `"2027-07-29T00:00:00+00:00"`, reason.PolicyInvalid},
		"short key":            {`08THovDNs4pMv1ARMiWEVyplc8KPSoa1ORtO4VksAAc`, `08THovDNs4pMv1ARMiWEVyplc8KPSoa1ORtO4VksAA`, projection.AdapterKeyInvalid},
		"padded key":           {`VksAAc"`, `VksAAc="`, reason.PolicyInvalid},
		"spare bits":           {`VksAAc"`, `VksAAd"`, reason.PolicyInvalid},
		"no point":             {`08THovDNs4pMv1ARMiWEVyplc8KPSoa1ORtO4VksAAc`, base64.RawURLEncoding.EncodeToString(append([]byte{2}, make([]byte, 31)...)), projection.AdapterKeyInvalid},
		"small order":          {`08THovDNs4pMv1ARMiWEVyplc8KPSoa1ORtO4VksAAc`, neutral, projection.AdapterKeyInvalid},
		"trailing bytes": {`"single_use": false
}`, `"single_use": false
}}`, reason.PolicyInvalid},
		"file too long":  {`"single_use": false`, `"single_use": false` + strings.Repeat(" ", projection.MaxPolicyBytes), reason.PolicyInvalid},
		"too many pairs": {`"profiles": [`, `"profiles": [` + strings.Repeat(`{"source_profile": "s", "context_frame_profile": "f"}, `, 4096), reason.PolicyInvalid},
	} {
		if strings.Count(policyFile, c.old) == 0 {
			t.Fatalf("%s: nothing to replace", what)
		}
		_, err := projection.ParsePolicy([]byte(strings.Replace(policyFile, c.old, c.new, 1)))
		if reason.Of(err) != c.want {
			t.Errorf("%s: %v, want %s", what, err, c.want)
		}
	}
}

// AP-12: none of the eight points of small order can be pinned, however it is spelled.
func TestSmallOrderPins(t *testing.T) {
	for _, digits := range []string{
		"0100000000000000000000000000000000000000000000000000000000000000",
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"0000000000000000000000000000000000000000000000000000000000000000",
		"0000000000000000000000000000000000000000000000000000000000000080",
		"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
		"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
		"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
		"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
		"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // 1, not reduced
		"0100000000000000000000000000000000000000000000000000000000000080", // 1, with the sign set
	} {
		raw, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatal(err)
		}
		b := genuine(t)
		b.policy.Pins[0].Key = identity.PublicKey(raw)
		wantCode(t, b.verify(t), projection.AdapterKeyInvalid)
	}
}
