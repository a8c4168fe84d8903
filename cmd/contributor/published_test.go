package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"consilience/projection"
	"consilience/reason"
)

// publishedRecord is the published record with its material. The keyring opens its
// objects, whose bodies are not those that its fragments show (AP-17), so the policy
// accepts other bodies.
func publishedRecord(t *testing.T) (x exhibit, cases map[string]string) {
	t.Helper()
	var set struct {
		Projection struct {
			Record   json.RawMessage `json:"record"`
			Material struct {
				Request    string   `json:"recall_request_b64u"`
				Policy     string   `json:"selection_policy_b64u"`
				Snapshot   string   `json:"trust_snapshot_b64u"`
				Objects    []string `json:"source_object_b64u_by_position"`
				Fragments  []string `json:"fragment_b64u_by_position"`
				Projection string   `json:"projection_b64u"`
			} `json:"verification_material"`
		} `json:"projection"`
		Cases []struct {
			Mutation string
			Expect   struct{ Result string }
		} `json:"cases"`
	}
	readShared(t, "memory-projection-record-v1/interop/apertomemory-emilia/memory-projection-record.v1.vectors.json", &set)
	var record bytes.Buffer
	if err := json.Compact(&record, set.Projection.Record); err != nil {
		t.Fatal(err)
	}
	m := set.Projection.Material
	x = exhibit{
		record: record.Bytes(), projection: fromUnpadded(t, m.Projection), request: fromUnpadded(t, m.Request),
		selection: fromUnpadded(t, m.Policy), snapshot: fromUnpadded(t, m.Snapshot), keyring: keyringFile(t, true, false),
	}
	for i := range m.Objects {
		x.objects = append(x.objects, fromUnpadded(t, m.Objects[i]))
		x.fragments = append(x.fragments, fromUnpadded(t, m.Fragments[i]))
	}
	parsed, err := projection.Parse(x.record)
	if err != nil {
		t.Fatal(err)
	}
	x.policy = relying(t, parsed.Adapter)
	x.policy.AcceptOtherBodies = true
	cases = map[string]string{}
	for _, c := range set.Cases {
		cases[c.Mutation] = c.Expect.Result
	}
	return x, cases
}

// edit changes the record's text once.
func (x *exhibit) edit(t *testing.T, old, new string) {
	t.Helper()
	if bytes.Count(x.record, []byte(old)) != 1 {
		t.Fatalf("the record does not hold %q once", old)
	}
	x.record = bytes.Replace(x.record, []byte(old), []byte(new), 1)
}

// entries are the texts of the record's two delivered entries.
func (x *exhibit) entries(t *testing.T) (first, second string) {
	t.Helper()
	var r struct {
		Delivered []json.RawMessage `json:"delivered"`
	}
	if err := json.Unmarshal(x.record, &r); err != nil || len(r.Delivered) != 2 {
		t.Fatal(err)
	}
	return string(r.Delivered[0]), string(r.Delivered[1])
}

// publishedMutations are the published ones by their names, made to files.
var publishedMutations = map[string]func(*testing.T, *exhibit){
	"":                             func(*testing.T, *exhibit) {},
	"add_unknown_top_level_member": func(t *testing.T, x *exhibit) { x.record = append([]byte(`{"unknown":true,`), x.record[1:]...) },
	"sign_with_legacy_v0_domain": func(t *testing.T, x *exhibit) {
		r, err := projection.Parse(x.record)
		if err != nil {
			t.Fatal(err)
		}
		legacy := append([]byte("AMEM-EMILIA-PROJECTION-RECORD-v0"), r.SignedBytes()[len(projection.Version):]...)
		_, after, _ := strings.Cut(string(x.record), `"signature_b64u":"`)
		signature, _, _ := strings.Cut(after, `"`)
		x.edit(t, signature, unpadded(ed25519.Sign(adapterKey(), legacy)))
	},
	"swap_delivered_entries": func(t *testing.T, x *exhibit) {
		first, second := x.entries(t)
		x.edit(t, first+","+second, second+","+first)
	},
	"omit_delivered_entry": func(t *testing.T, x *exhibit) {
		_, second := x.entries(t)
		x.edit(t, ","+second, "")
	},
	"duplicate_delivered_position":     func(t *testing.T, x *exhibit) { x.edit(t, `"position":1`, `"position":0`) },
	"mutate_source_object_bytes":       func(_ *testing.T, x *exhibit) { x.objects[0][0] ^= 1 },
	"mutate_fragment_bytes":            func(_ *testing.T, x *exhibit) { x.fragments[0][0] ^= 1 },
	"substitute_projection_bytes_only": func(_ *testing.T, x *exhibit) { x.projection = []byte("different projection") },
	"mutate_recall_request_bytes":      func(_ *testing.T, x *exhibit) { x.request = []byte("different") },
	"mutate_selection_policy_bytes":    func(_ *testing.T, x *exhibit) { x.selection = []byte("different") },
	"mutate_trust_snapshot_bytes":      func(_ *testing.T, x *exhibit) { x.snapshot = []byte("different") },
	"increment_exclusions_total":       func(t *testing.T, x *exhibit) { x.edit(t, `"total":2`, `"total":3`) },
	"set_model_use_established": func(t *testing.T, x *exhibit) {
		_, after, _ := strings.Cut(string(x.record), `"model_use":`)
		value, _, _ := strings.Cut(after, `"}`)
		value, _, _ = strings.Cut(value, ",")
		x.edit(t, `"model_use":`+value, `"model_use":"ESTABLISHED"`)
	},
	"remove_adapter_pin":           func(_ *testing.T, x *exhibit) { x.policy.Pins = nil },
	"revoke_adapter_key":           func(_ *testing.T, x *exhibit) { x.policy.Pins[0].Status = projection.Revoked },
	"advance_verification_time":    func(_ *testing.T, x *exhibit) { x.policy.Freshness.MaxTrustAge = time.Second },
	"relabel_native_source_result": func(t *testing.T, x *exhibit) { x.keyring = keyringFile(t, false, false) },
	"register_projection_twice": func(t *testing.T, x *exhibit) {
		x.policy.SingleUse, x.registry = true, filepath.Join(t.TempDir(), "used")
		if status, v := x.verify(t); status != 0 {
			t.Fatalf("first use: %+v", v)
		}
	},
}

// P-90, AP-17: the published record and each of its published mutations, as files
// for the command: exit status, verdict and reason code.
func TestVerifyPublishedRecord(t *testing.T) {
	_, cases := publishedRecord(t)
	if len(cases) != 19 {
		t.Fatalf("%d published cases, want one positive and 18 mutations", len(cases))
	}
	for mutation, want := range cases {
		t.Run(mutation, func(t *testing.T) {
			mutate, known := publishedMutations[mutation]
			if !known {
				t.Fatal("no such mutation")
			}
			x, _ := publishedRecord(t)
			mutate(t, &x)
			status, v := x.verify(t)
			if mutation == "" {
				if status != 0 || !v.Verified || v.Reason != "" || v.Record == nil || v.Record.Scope != projection.ScopeFull {
					t.Errorf("exit status %d, %+v", status, v)
				}
				return
			}
			if status != 1 || v.Verified || v.Reason != reason.Code(want) || v.Record != nil {
				t.Errorf("exit status %d, %+v", status, v)
			}
		})
	}
}

// AP-17: who can open the objects and accepts no other bodies refuses the published
// record, since it shows others.
func TestVerifyComparesBodies(t *testing.T) {
	x, _ := publishedRecord(t)
	x.policy.AcceptOtherBodies = false
	if status, v := x.verify(t); status != 1 || v.Reason != projection.FragmentBodyMismatch {
		t.Errorf("exit status %d, %+v", status, v)
	}
}

// --explain lists the checks in the order in which they were made, with the
// draft's step numbers; the one that refuses is the last, with its code.
func TestVerifyExplains(t *testing.T) {
	x, _ := publishedRecord(t)
	status, out, _ := x.run(t, "--explain")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || len(lines) != 23 || !strings.HasPrefix(lines[0], "STEP") || !strings.HasPrefix(lines[22], "verified, scope full: 2 objects, 328 bytes") {
		t.Fatalf("exit status %d, %d lines: %s", status, len(lines), out)
	}
	for i, want := range []string{
		"1 ok exact members", "6 ok positions", "6 ok no object", "5 ok native results do not", "7 ok exclusions", "2 ok proof", "2 ok adapter key",
		"2 ok signature", "3 ok trust evaluation", "3 ok record is fresh", "4 ok profiles", "4 ok digests", "4 ok all material", "4 ok recall request",
		"5 ok source objects", "5 ok native results are", "4 ok trust snapshot", "6 ok fragments", "6 ok projection", "6 ok frames", "3 ok projection was not",
	} {
		if got := strings.Join(strings.Fields(lines[i+1]), " "); !strings.HasPrefix(got, want) {
			t.Errorf("check %d: %s, want %s", i, got, want)
		}
	}
	x.fragments[1][3] ^= 1
	status, out, _ = x.run(t, "--explain")
	lines = strings.Split(strings.TrimSpace(out), "\n")
	if status != 1 || len(lines) != 21 || strings.Fields(lines[18])[1] != string(projection.FragmentDigestMismatch) ||
		lines[19] != "refused: fragment_digest_mismatch" || !strings.HasPrefix(lines[20], "fragment 1 is not the committed one") {
		t.Errorf("exit status %d: %s", status, out)
	}
}

// P-1, P-30: without what the record commits to, the projection's own digest and length
// are checked and listed all the same, and the scope says that nothing else was.
func TestVerifyEnvelope(t *testing.T) {
	x, _ := publishedRecord(t)
	x.keyring, x.objects, x.fragments = nil, nil, nil
	status, v := x.verify(t)
	if status != 0 || v.Record.Scope != projection.ScopeEnvelope || len(v.Checks) != 14 || v.Checks[0].Name != "projection is the one that the record states" {
		t.Errorf("exit status %d, %+v", status, v)
	}
	lying, other := x, x
	lying.edit(t, `"byte_length":328`, `"byte_length":329`)
	other.projection = append([]byte(nil), x.projection...)
	other.projection[0] ^= 1
	for want, x := range map[reason.Code]exhibit{projection.ProjectionLengthMismatch: lying, projection.ProjectionDigestMismatch: other} {
		if status, v := x.verify(t); status != 1 || v.Reason != want || len(v.Checks) != 1 || v.Checks[0].Passed || v.Record != nil {
			t.Errorf("%s: exit status %d, %+v", want, status, v)
		}
	}
}
