package merge

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"

	"consilience/command"
	"consilience/identity"
	"consilience/lineage"
	"consilience/record"
)

// N-43..N-63: item by item and contributor by contributor what an independent
// implementation of the contract makes of the same random histories.
func TestOracle(t *testing.T) {
	dir := oracleDir(t)
	n := histories(t, 1000)
	var mu sync.Mutex
	var hs []*history
	t.Run("histories", func(t *testing.T) {
		eachHistory(t, n, true, func(t *testing.T, h *history, _ *rand.Rand) {
			mu.Lock()
			defer mu.Unlock()
			hs = append(hs, h)
		})
	})
	var asked []oracleHistory
	for _, h := range hs {
		asked = append(asked, forOracle(h))
	}
	answers := askOracle(t, dir, asked)
	refused, locked, quarantined := 0, 0, 0
	for i, h := range hs {
		compare(t, h, answers[i])
		refused += len(answers[i].Refused)
		for n := range h.state.reps {
			if h.state.locked(n) {
				locked++
			}
		}
		for _, it := range h.state.items {
			quarantined += int(it.Status)
		}
		if t.Failed() {
			t.Fatalf("history %d differs", i)
		}
	}
	t.Logf("%d histories, %d refused deltas, %d locked contributors, %d quarantined items", len(hs), refused, locked, quarantined)
	if len(hs) >= 1000 && (refused == 0 || locked == 0 || quarantined == 0) {
		t.Error("the histories leave something out")
	}
}

// oracleDir finds the reference, or skips.
func oracleDir(t *testing.T) string {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("the independent reference needs python3, which is not here")
	}
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for dir := wd; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		oracle := filepath.Join(dir, "shared", "oracle")
		if _, err := os.Stat(filepath.Join(oracle, "merge_oracle.py")); err == nil {
			return oracle
		}
	}
	t.Skip("the independent reference, ../shared/oracle, is not here")
	return ""
}

type oracleHistory struct {
	Policy  map[string]any `json:"policy"`
	Entries [][]any        `json:"entries"`
}

type oracleAnswer struct {
	Items map[string]struct {
		Conf, S, D, Groups uint32
		Status, Head       string
		Why                map[string]string
	}
	Reps    map[string][]any
	Values  map[string]uint32
	Holders map[string]map[string][3]bool
	Judged  map[string]string
	Beliefs map[string][2]any
	Refused [][]any
}

func askOracle(t *testing.T, dir string, asked []oracleHistory) []oracleAnswer {
	in, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("python3", "testdata/oracle.py", dir)
	cmd.Stdin = bytes.NewReader(in)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answers []oracleAnswer
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatal(err)
	}
	return answers
}

func hexID(b [32]byte) string { return hex.EncodeToString(b[:]) }

// forOracle writes a history as the reference takes it.
func forOracle(h *history) oracleHistory {
	sp, _ := h.sc.fleet.At(h.sc.log[0].Seq + 100_000).Space(h.space)
	for _, e := range h.entries { // the policy that the space was created with
		if f, ok := e.Body.(*FactBody); ok {
			if b, ok := f.Command.Command.Body.(command.Space); ok && b.Name == h.space {
				sp.Policy = b.Policy
			}
		}
	}
	o := oracleHistory{Policy: oraclePolicy(sp.Policy)}
	revisions := map[SliceKey]uint64{}
	for _, e := range h.entries {
		if row := oracleEntry(h, e, revisions); row != nil {
			o.Entries = append(o.Entries, row)
		}
	}
	return o
}

func oraclePolicy(p command.Policy) map[string]any {
	var distance any
	if p.LineageDistance > 0 {
		distance = p.LineageDistance
	}
	return map[string]any{
		"depth_factor": p.DepthFactor, "proven_step": p.ProvenStep, "unproven_step": p.UnprovenStep,
		"near_zero": p.NearZero, "authority": p.Authority, "admission": p.Admission,
		"lineage_distance": distance, "r0": p.R0,
	}
}

func oracleEntry(h *history, e Entry, revisions map[SliceKey]uint64) []any {
	switch b := e.Body.(type) {
	case *FactBody:
		return oracleFact(h, e.Seq, b)
	case *SliceBody:
		revisions[b.Digest] = b.Revision
	case *ServedBody:
		var contents [][]string
		for _, c := range b.Contents {
			contents = append(contents, oracleContent(c))
		}
		return []any{"served", e.Seq, hexID(b.Contributor), contents}
	case *JudgementBody:
		return []any{string(b.Command.Kind), e.Seq, hexID(b.Command.Body.(command.Judgement).Record)}
	case *DeltaBody:
		return oracleDelta(e.Seq, b, revisions)
	}
	return nil
}

func oracleFact(h *history, seq uint64, b *FactBody) []any {
	switch c := b.Command.Command.Body.(type) {
	case command.Enroll:
		opts := map[string]any{"vouched": c.Vouched}
		if c.Origin != "" {
			opts["origin"] = c.Origin
		}
		if c.Reputation != 0 {
			opts["r0"] = c.Reputation
		}
		return []any{"enroll", seq, hexID(c.Key.ID()), opts}
	case command.Derive:
		var parents []string
		for _, p := range c.Parents {
			parents = append(parents, hexID(p))
		}
		return []any{"derive", seq, hexID(c.Child.ID()), parents}
	case command.Retire:
		return []any{"retire", seq, hexID(c.Contributor)}
	case command.Quarantine:
		return []any{"quarantine", seq, hexID(c.Contributor), c.Since, c.All}
	case command.Release:
		return []any{"release", seq, hexID(c.Contributor)}
	case command.PolicyChange:
		if c.Space == h.space {
			return []any{"policy", seq, oraclePolicy(c.Policy)}
		}
	}
	return nil
}

func oracleDelta(seq uint64, b *DeltaBody, revisions map[SliceKey]uint64) []any {
	var base any
	if b.Delta.Base != nil {
		base = revisions[b.Delta.Base.Digest]
	}
	contributions, modified, absent := [][]any{}, [][]any{}, [][]any{}
	row := func(r record.ID, value uint32) []any {
		c := oracleContent(b.Records[r].Is())
		return []any{hexID(r), c[0], c[1], value}
	}
	for _, n := range b.Delta.New {
		contributions = append(contributions, row(n.Record, n.Base))
	}
	for _, m := range b.Delta.Modified {
		modified = append(modified, append([]any{hexID(m.Item)}, row(m.Record, m.Base)...))
	}
	for _, a := range b.Delta.Absent {
		absent = append(absent, []any{hexID(a.Item), a.Strength})
	}
	return []any{"delta", seq, hexID(b.Delta.Contributor), b.Delta.Sequence, base, contributions, modified, absent}
}

// oracleContent is a content as the reference names it: by kind and text.
func oracleContent(c record.Content) []string {
	i := slices.IndexFunc(contents, func(text []byte) bool { return record.HashOf(text) == c.Hash })
	return []string{c.Kind.String(), string(contents[i])}
}

// compare compares the end of a history with the reference's.
func compare(t *testing.T, h *history, want oracleAnswer) {
	if len(h.state.items) != len(want.Items) {
		t.Errorf("%d items, want %d", len(h.state.items), len(want.Items))
	}
	v := h.sc.now()
	for _, it := range h.state.items {
		w, ok := want.Items[hexID(it.ID)]
		if !ok {
			t.Error("an item that the reference does not have")
			continue
		}
		got := []any{it.Confidence, it.Support, it.Doubt, it.Groups, it.Status.String(), hexID(it.recordID(it.Head))}
		if expected := []any{w.Conf, w.S, w.D, w.Groups, w.Status, w.Head}; !reflect.DeepEqual(got, expected) {
			t.Errorf("item is %v, want %v", got, expected)
		}
		if why := reasons(it, v.ID); !reflect.DeepEqual(why, w.Why) {
			t.Errorf("stances are %v, want %v", why, w.Why)
		}
	}
	compareRefused(t, h, want)
	compareReputations(t, h, want)
	compareContents(t, h, want)
	compareBeliefs(t, h, want)
}

func compareRefused(t *testing.T, h *history, want oracleAnswer) {
	var got, expected []uint64
	issued := map[uint64]bool{} // the reference has no entries for slices
	for _, e := range h.entries {
		_, issued[e.Seq] = e.Body.(*SliceBody)
	}
	for _, r := range h.plan.Rejections {
		if !issued[r.Seq] {
			got = append(got, r.Seq)
		}
	}
	for _, r := range want.Refused {
		expected = append(expected, uint64(r[0].(float64)))
	}
	if !slices.Equal(got, expected) {
		t.Errorf("refused are %v, want %v", got, expected)
	}
}

// reasons is why stances count or not, in the reference's words.
func reasons(it *Item, id func(lineage.Node) identity.ID) map[string]string {
	words := map[Reason]string{Counts: "counted", Locked: "counted", NearZero: "counted", Echo: "echo", SameGroup: "group", InPool: "group"}
	why := map[string]string{}
	for _, st := range it.Statements {
		if word, ok := words[st.Counted]; ok {
			why[hexID(id(st.Contributor))] = word
		}
	}
	return why
}

func compareReputations(t *testing.T, h *history, want oracleAnswer) {
	v := h.sc.now()
	if len(h.state.reps) != len(want.Reps) {
		t.Errorf("%d reputations, want %d", len(h.state.reps), len(want.Reps))
	}
	step := h.state.step(h.sc.seq, v, "", "")
	for n, r := range h.state.reps {
		window := []any{}
		for _, good := range r.Window {
			window = append(window, good)
		}
		got := []any{float64(r.R0), float64(r.Confirmed), float64(r.Contradicted), float64(r.Corroborated),
			float64(r.Accepted), window, float64(r.Locks), float64(r.Left)}
		if id := hexID(v.ID(n)); !reflect.DeepEqual(got, want.Reps[id]) {
			t.Errorf("reputation is %v, want %v", got, want.Reps[id])
		} else if value := step.value(n); value != want.Values[id] {
			t.Errorf("value is %d, want %d", value, want.Values[id])
		}
	}
}

func compareContents(t *testing.T, h *history, want oracleAnswer) {
	v := h.sc.now()
	for _, c := range h.state.contents {
		text := oracleContent(c.Content)[1]
		if c.Judgement.String() != want.Judged[text] {
			t.Errorf("judgement is %q, want %q", c.Judgement, want.Judged[text])
		}
		if len(c.Holders) != len(want.Holders[text]) {
			t.Errorf("%d holders, want %d", len(c.Holders), len(want.Holders[text]))
		}
		for n, holder := range c.Holders {
			got := [3]bool{holder.Credit, holder.Corroborated, holder.Blamed}
			if expected := want.Holders[text][hexID(v.ID(n))]; got != expected {
				t.Errorf("holder is %v, want %v", got, expected)
			}
		}
	}
}

// compareBeliefs compares what views derive: belief among the claim's rivals, and
// authority.
func compareBeliefs(t *testing.T, h *history, want oracleAnswer) {
	sp, _ := h.sc.now().Space(h.space)
	for _, it := range h.state.items {
		var rivals []Standing
		for _, other := range h.state.items {
			if other.Claim.Key == it.Claim.Key && other.Claim.Value != it.Claim.Value {
				rivals = append(rivals, other.Standing())
			}
		}
		x := it.Standing()
		got := [2]any{float64(BeliefAmong(x, rivals)), Authoritative(sp.Policy.Authority, sp.Policy.NearZero, x, rivals)}
		if got != want.Beliefs[hexID(it.ID)] {
			t.Errorf("belief and authority are %v, want %v", got, want.Beliefs[hexID(it.ID)])
		}
	}
}
