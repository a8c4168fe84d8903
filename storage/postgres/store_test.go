package postgres

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"consilience/command"
	"consilience/delta"
	"consilience/identity"
	"consilience/merge"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

// Every statement is used by name, and every name has its statement.
func TestStatements(t *testing.T) {
	used := map[string]bool{}
	names := regexp.MustCompile(`"([a-z_]+)"`)
	sources, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range sources {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		text, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range names.FindAllSubmatch(text, -1) {
			used[string(m[1])] = true
		}
		for _, m := range regexp.MustCompile(`query\("([a-z_]+)"\)`).FindAllSubmatch(text, -1) {
			query(string(m[1]))
		}
	}
	for name := range queries {
		if !used[name] {
			t.Errorf("sql/%s.sql is used by nobody", name)
		}
	}
}

// Facts are immutable rows; workers who read the same ones may all store them, in
// any order of arrival, and what they amount to never runs backwards.
func TestFacts(t *testing.T) {
	w := story(t)
	s, db := openStore(t)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for n := 1 + i; n <= len(w.facts); n += 2 {
				if err := s.AppendFacts(t.Context(), w.facts[:n]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if err := s.AppendFacts(t.Context(), w.facts); err != nil {
		t.Fatal(err)
	}
	rows, err := s.Facts(t.Context(), 0)
	if err != nil || len(rows) != len(w.facts) {
		t.Fatalf("%d facts, want %d: %v", len(rows), len(w.facts), err)
	}
	for i, r := range rows {
		if r.Fact.Seq != w.facts[i].Fact.Seq || !bytes.Equal(r.Fact.Raw, w.facts[i].Fact.Raw) || r.Fact.Subject != w.facts[i].Fact.Subject {
			t.Errorf("fact %d came back as another", i)
		}
	}
	got := ask(t, db, "SELECT name, status, depth, quarantined_by IS NOT NULL AS q FROM memory.contributors ORDER BY enrolled_at")
	want := []string{
		"name=ann status=active depth=0 q=false", "name=bob status=active depth=0 q=false", "name=cyd status=active depth=0 q=false",
		"name=dan status=active depth=0 q=false", "name=mallory status=quarantined depth=0 q=true", "name=mallory-2 status=quarantined depth=1 q=true",
	}
	if !slices.Equal(got, want) {
		t.Errorf("contributors:\n%s", strings.Join(got, "\n"))
	}
}

// A quarantine shows as soon as its fact is stored, where the partition has not
// reached it (rulings: reader-side mask), and slices leave its items out.
func TestPendingQuarantineHides(t *testing.T) {
	w := story(t)
	quarantine := w.facts[len(w.facts)-1]
	backlog := *w
	backlog.facts, backlog.log = w.facts[:len(w.facts)-1], w.log[:len(w.log)-1]
	s, db := openStore(t)
	backlog.fill(s, 1000)
	const sql = `SELECT content, status, confidence = 0 AS none FROM memory.items WHERE content LIKE 'Gate 4 is%' OR content LIKE '%17:05%' ORDER BY content`
	visible := []string{"content=Gate 4 is never locked status=active none=false",
		`content={"predicate":"arrives","subject":"Flight-1208","value":"17:05"} status=confirmed none=false`}
	if got := ask(t, db, sql); !slices.Equal(got, visible) {
		t.Fatalf("before:\n%s", strings.Join(got, "\n"))
	}
	before, err := s.Snapshot(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.AppendFacts(t.Context(), []FactRow{quarantine}); err != nil {
		t.Fatal(err)
	}
	hidden := []string{"content=Gate 4 is never locked status=quarantined none=true", visible[1]}
	if got := ask(t, db, sql); !slices.Equal(got, hidden) {
		t.Errorf("pending:\n%s", strings.Join(got, "\n"))
	}
	after, err := s.Snapshot(t.Context(), 1)
	if err != nil || len(after.Entries) != len(before.Entries)-3 {
		t.Errorf("a slice of %d, was %d: %v", len(after.Entries), len(before.Entries), err)
	}
	w.fill(s, 1000)
	if got := ask(t, db, sql); !slices.Equal(got, hidden) {
		t.Errorf("merged:\n%s", strings.Join(got, "\n"))
	}
}

// A snapshot is the active items, in bytewise order.
func TestSnapshot(t *testing.T) {
	w := story(t)
	s, _ := openStore(t)
	w.fill(s, 7)
	snap, err := s.Snapshot(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	var want []delta.SliceEntry
	for _, it := range w.memory.Drain().NewItems {
		if it.Status == merge.Active && it.Verdict != merge.Contradicted {
			want = append(want, delta.SliceEntry{Item: it.ID, Confidence: it.Confidence})
		}
	}
	if len(snap.Entries) != len(want) || snap.Revision != w.seq || delta.CheckEntries(snap.Entries) != nil {
		t.Fatalf("%d entries at %d, want %d at %d", len(snap.Entries), snap.Revision, len(want), w.seq)
	}
	for _, e := range want {
		i, ok := slices.BinarySearchFunc(snap.Entries, e.Item, func(a delta.SliceEntry, id record.ItemID) int { return bytes.Compare(a.Item[:], id[:]) })
		if !ok || snap.Entries[i].Confidence != e.Confidence {
			t.Errorf("item %s is not in the slice", e.Item)
		}
	}
}

func TestKeptSlice(t *testing.T) {
	s, db := openStore(t)
	issued := delta.SliceIssued{Space: spaceName, Contributor: idOf("ann"), Revision: 5, Digest: [32]byte{1}}
	if err := s.KeepSlice(t.Context(), 1, issued, [][]byte{[]byte("body"), []byte("rest")}); err != nil {
		t.Fatal(err)
	}
	body, to, err := s.KeptPage(t.Context(), issued.Digest, 0)
	if err != nil || string(body) != "body" || to != idOf("ann") {
		t.Errorf("kept %q for %s: %v", body, to, err)
	}
	for page, want := range map[int32]string{1: "rest", 2: ""} {
		body, to, err := s.KeptPage(t.Context(), issued.Digest, page)
		if err != nil || string(body) != want || (body == nil) != (want == "") || to != idOf("ann") {
			t.Errorf("page %d: kept %q for %s: %v", page, body, to, err)
		}
	}
	if _, err := db.Pool.Exec(t.Context(), "UPDATE consilience.slice_body SET kept_at = kept_at - interval '25 hours'"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.KeptPage(t.Context(), issued.Digest, 0); reason.Of(err) != reason.SliceUnknown {
		t.Errorf("a day later: %v", err)
	}
}

// A contributor that asks for slices and fetches none does not fill the disk; what
// others fetch is not its to take.
func TestSlicesKeptAreFew(t *testing.T) {
	s, _ := openStore(t)
	keep := func(to string, n int) [32]byte {
		i := delta.SliceIssued{Space: spaceName, Contributor: idOf(to), Revision: uint64(n), Digest: wire.Hash([]byte(to), []byte{byte(n)})}
		if err := s.KeepSlice(t.Context(), 1, i, [][]byte{[]byte("body")}); err != nil {
			t.Fatal(err)
		}
		return i.Digest
	}
	bobs := keep("bob", 0)
	var anns [][32]byte
	for n := range 2 * slicesKept {
		anns = append(anns, keep("ann", n))
	}
	for n, digest := range append(anns, bobs) {
		_, _, err := s.KeptPage(t.Context(), digest, 0)
		if gone := reason.Of(err) == reason.SliceUnknown; gone != (n < slicesKept) || err != nil && !gone {
			t.Errorf("slice %d: %v", n, err)
		}
	}
}

func TestFind(t *testing.T) {
	w := story(t)
	s, _ := openStore(t)
	w.fill(s, 1000)
	all := w.memory.Drain()
	first := all.NewRecords[0].Record
	for arg, want := range map[string]reason.Code{
		first.ID.String(): "", first.ID.String()[:12]: "", first.ID.String()[4:20]: "",
		first.ID.String()[:11]: reason.UsageError, "rec:AAAAAAAA": reason.NotFound, "rec:%%%%%%%%": reason.UsageError,
		"": reason.UsageError, "rec:" + strings.Repeat("z", 43): reason.NotFound,
	} {
		id, err := s.RecordID(t.Context(), spaceName, arg)
		if reason.Of(err) != want || want == "" && id != first.ID {
			t.Errorf("%q: %s %v", arg, id, err)
		}
	}
	item := all.NewItems[0]
	in, id, err := s.ItemID(t.Context(), "", item.ID.String()[:13])
	if err != nil || id != item.ID || in != spaceName {
		t.Errorf("item by prefix in any space: %s %s %v", in, id, err)
	}
	if id, err := s.ItemOf(t.Context(), spaceName, item.Content); err != nil || id != item.ID {
		t.Errorf("item by content: %s %v", id, err)
	}
	for _, arg := range []string{"ann", idOf("ann").String(), idOf("ann").Token()} {
		if id, err := s.ContributorID(t.Context(), arg); err != nil || id != idOf("ann") {
			t.Errorf("contributor %s: %s %v", arg, id, err)
		}
	}
	if _, err := s.ContributorID(t.Context(), "nobody"); reason.Of(err) != reason.NotFound {
		t.Errorf("nobody: %v", err)
	}
	records, err := s.Records(t.Context(), 1, []record.ID{first.ID, {}})
	if err != nil || len(records) != 1 || !bytes.Equal(records[0].Record.Content, first.Content) {
		t.Fatalf("records by id: %v %v", records, err)
	}
	envelope, err := identity.OpenEnvelope(records[0].Envelope)
	if err != nil || envelope.Verify(identity.PurposeDelta, keyOf("ann").Public()) != nil {
		t.Errorf("a record comes with the envelope that signs it: %v", err)
	}
}

// Explain says of each stance whether it counts, and Overview what is believed.
func TestExplain(t *testing.T) {
	w := story(t)
	s, _ := openStore(t)
	w.fill(s, 1000)
	e, err := s.Explain(t.Context(), spaceName, w.memory.Drain().NewItems[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, st := range e.Stances {
		names = append(names, st.Name+" "+st.Why)
	}
	if want := []string{"ann ", "bob ", "cyd echo"}; !slices.Equal(names, want) || e.Status != "confirmed" || !e.Authoritative {
		t.Errorf("%v %+v", names, e)
	}
	if _, err := s.Explain(t.Context(), spaceName, record.ItemID{}); reason.Of(err) != reason.ItemUnknown {
		t.Errorf("an unknown item: %v", err)
	}
	items, err := s.Overview(t.Context(), spaceName, 2)
	if err != nil || len(items) != 2 || items[0].ItemID != e.ItemID {
		t.Errorf("overview: %v %v", items, err)
	}
}

// Outcomes are read from their table until they are marked as published.
func TestOutcomes(t *testing.T) {
	w := story(t)
	s, _ := openStore(t)
	w.fill(s, 1000)
	todo, err := s.Unpublished(t.Context(), partitionOf(), 100)
	if err != nil || len(todo) == 0 {
		t.Fatal(len(todo), err)
	}
	first, err := command.DecodeOutcome(todo[0].Payload)
	if err != nil || first.Status != command.StatusMerged || todo[0].Contributor != idOf("ann") {
		t.Errorf("first outcome %+v: %v", first, err)
	}
	for range 2 {
		if err := s.MarkPublished(t.Context(), todo[1:]); err != nil {
			t.Fatal(err)
		}
	}
	left, err := s.Unpublished(t.Context(), partitionOf(), 100)
	if err != nil || len(left) != 1 || left[0].Seq != todo[0].Seq {
		t.Errorf("%d are left: %v", len(left), err)
	}
	docs, err := s.Outcomes(t.Context(), spaceName, idOf("ann"), []delta.ID{first.DeltaID, {1}})
	if err != nil || len(docs) != 1 || !bytes.Equal(docs[0], todo[0].Payload) {
		t.Errorf("outcome by id: %q %v", docs, err)
	}
	// A copy that was refused later does not take back that the delta was merged.
	if _, err := s.Pool().Exec(t.Context(), `INSERT INTO consilience.outcome SELECT (o).* FROM (
		SELECT jsonb_populate_record(o, '{"seq":999999,"status":"rejected","body":"\\x7b7d","published":true}') AS o
		FROM consilience.outcome o WHERE delta_id = $1 AND status = 'merged') x`, first.DeltaID[:]); err != nil {
		t.Fatal(err)
	}
	if docs, err := s.Outcomes(t.Context(), spaceName, idOf("ann"), []delta.ID{first.DeltaID}); err != nil || len(docs) != 1 || !bytes.Equal(docs[0], todo[0].Payload) {
		t.Errorf("outcome of a merged delta that came again: %q %v", docs, err)
	}
	if docs, err := s.Outcomes(t.Context(), spaceName, idOf("bob"), []delta.ID{first.DeltaID}); err != nil || len(docs) != 0 {
		t.Errorf("another contributor's outcome was given away: %q %v", docs, err)
	}
	rejected, err := s.Rejections(t.Context(), spaceName, 10)
	if err != nil || len(rejected) != 1 || rejected[0].Reason != string(reason.SequenceReused) {
		t.Fatalf("rejections: %+v %v", rejected, err)
	}
	if _, err := s.Rejections(t.Context(), "typo", 10); reason.Of(err) != reason.SpaceUnknown {
		t.Errorf("rejections of an unknown space: %v", err)
	}
	if code, _, refused, err := s.Refusal(t.Context(), rejected[0].Seq); err != nil || !refused || code != string(reason.SequenceReused) {
		t.Errorf("refusal of the entry: %s %v %v", code, refused, err)
	}
	if _, _, refused, err := s.Refusal(t.Context(), 1); err != nil || refused {
		t.Errorf("the genesis was refused: %v", err)
	}
}

// What a refused fact was about is told too, with the reason given for it and the
// code of the refusal.
func TestRefusedFactsTellTheirTarget(t *testing.T) {
	w := newWorld(t)
	w.enroll("ann")
	w.quarantine("ghost", 0, false)
	w.release("ann")
	w.enroll("ann", func(e *command.Enroll) { e.Name = "another" })
	w.fact(command.KindRetire, command.Retire{Contributor: idOf("ann"), Reason: "mine"}, "ann")
	s, db := openStore(t)
	w.fill(s, 1000)
	got := ask(t, db, "SELECT kind, target, reason, signer, effect FROM memory.commands WHERE effect LIKE 'refused%' ORDER BY revision")
	ghost, ann, op := idOf("ghost").String(), idOf("ann").String(), idOf("op").String()
	want := []string{
		"kind=quarantine target=" + ghost + " reason=poisons signer=" + op + " effect=refused: contributor_unknown",
		"kind=release target=" + ann + " reason=cleared signer=" + op + " effect=refused: not_quarantined",
		"kind=enroll target=" + ann + " reason= signer=" + op + " effect=refused: already_known",
		"kind=retire target=" + ann + " reason=mine signer=" + ann + " effect=refused: signer_not_operator",
	}
	if !slices.Equal(got, want) {
		t.Errorf("commands:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := ask(t, db, "SELECT count(*) AS n FROM memory.commands WHERE command_id IS NULL"); !slices.Equal(n, []string{"n=0"}) {
		t.Errorf("commands without an id: %s", n)
	}
}

// What a judgement was about is told: a record, or two items.
func TestJudgementsTellTheirTarget(t *testing.T) {
	w := newWorld(t)
	w.enroll("ann")
	said := w.by("ann").says("the gate is open", 900_000).says("the gate is shut", 900_000).send()
	a, b := record.ItemID(said[0].ID), record.ItemID(said[1].ID)
	w.judge(command.KindRival, command.Rival{Space: spaceName, Item: a, Other: b, Reason: "one of them"})
	w.confirm(said[0].ID)
	s, db := openStore(t)
	w.fill(s, 1000)
	got := ask(t, db, "SELECT kind, target, reason FROM memory.commands WHERE space IS NOT NULL ORDER BY revision")
	want := []string{
		"kind=rival target=" + a.String() + " " + b.String() + " reason=one of them",
		"kind=confirm target=" + said[0].ID.String() + " reason=seen",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Workers see who lives; a partition is taken from the dead and not from the living.
func TestWorkers(t *testing.T) {
	s, db := openStore(t)
	for _, name := range []string{"b", "a"} {
		if _, err := s.Beat(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	claim := func(name string, want bool) {
		t.Helper()
		if got, err := s.Claim(t.Context(), name, 5); err != nil || got != want {
			t.Errorf("%s claims: %v %v", name, got, err)
		}
	}
	claim("a", true)
	claim("a", true)
	claim("b", false)
	r, err := s.Beat(t.Context(), "b")
	if err != nil || !slices.Equal(r.Workers, []string{"a", "b"}) || r.Owners[5] != "a" || r.Owners[6] != "" {
		t.Errorf("roster %+v: %v", r, err)
	}
	if _, err := db.Pool.Exec(t.Context(), `UPDATE consilience.worker SET seen_at = seen_at - interval '4 seconds' WHERE name = 'a';
		UPDATE consilience.position SET seen_at = seen_at - interval '4 seconds'`); err != nil {
		t.Fatal(err)
	}
	claim("b", true)
	if err := s.Release(t.Context(), "a", 5); err != nil {
		t.Fatal(err)
	}
	claim("a", false)
	if err := s.Leave(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	claim("a", true)
	if err := s.SetStopped(t.Context(), 5, "disk full"); err != nil {
		t.Fatal(err)
	}
	all, err := s.Positions(t.Context())
	if err != nil || len(all) != Partitions || all[5].Stopped != "disk full" {
		t.Errorf("positions %+v: %v", all, err)
	}
	if empty, err := s.Empty(t.Context()); err != nil || !empty {
		t.Errorf("a new store is not empty: %v", err)
	}
}

// Bytes that no record may hold survive all the same and break no view: U+0000 in a
// text, text that was altered in the database, a claim subject of 6 kB.
func TestHostileContentBreaksNoView(t *testing.T) {
	w := newWorld(t)
	w.enroll("ann")
	long := strings.Repeat("s", 6000)
	w.by("ann").claims(long, "1", 500_000).claims(long, "2", 400_000).says("altered", 300_000).send()
	s, db := openStore(t)
	w.fill(s, 1000)
	nul := record.Record{ID: record.ID{9}, Content: []byte("a\x00b"), ContentHash: record.HashOf([]byte("a\x00b")), Forward: w.record("ann", record.Text, "x").Forward}
	c := nul.Is()
	plan := &merge.Plan{
		Space:       merge.SpaceState{Num: 1, Name: spaceName, LastSeq: w.seq},
		NewItems:    []*merge.Item{{No: 1, ID: record.ItemID{9}, Content: c, Head: 1}},
		NewContents: []*merge.ContentState{{Content: c, Item: 1}},
		NewRecords:  []merge.NewRecord{{RecordState: merge.RecordState{No: 1, ID: nul.ID, Content: c, Contributor: 1, Item: 1}, Record: nul}},
	}
	tx, from, err := s.Begin(t.Context(), partitionOf(), "w")
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Write(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(t.Context(), from, from); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Pool.Exec(t.Context(), `UPDATE consilience.record SET content = '\xff00fe' WHERE content = 'altered'`); err != nil {
		t.Fatal(err)
	}
	got := ask(t, db, `SELECT content FROM memory.items WHERE claim_subject IS NULL ORDER BY content`)
	if want := []string{`content=\377\000\376`, `content=a\000b`}; !slices.Equal(got, want) {
		t.Errorf("contents %q", got)
	}
	got = ask(t, db, `SELECT claim_value, belief < confidence AS contested FROM memory.items WHERE claim_subject = '`+long+`' ORDER BY 1`)
	if want := []string{`claim_value="1" contested=true`, `claim_value="2" contested=true`}; !slices.Equal(got, want) {
		t.Errorf("claims %q", got)
	}
	stored, err := s.Records(t.Context(), 1, []record.ID{nul.ID})
	if err != nil || len(stored) != 1 || string(stored[0].Record.Content) != "a\x00b" {
		t.Errorf("stored %v: %v", stored, err)
	}
}

// What was shown to a contributor is remembered for it and for its lineage.
func TestExposed(t *testing.T) {
	w := story(t)
	s, _ := openStore(t)
	w.fill(s, 1000)
	shown := w.memory.Drain().NewItems[0].Content
	for name, want := range map[string]int{"cyd": 1, "bob": 0} {
		got, err := s.Exposed(t.Context(), 1, w.node(name), []record.Content{shown, {Hash: record.Hash{1}}})
		if err != nil || len(got) != want {
			t.Errorf("%s was shown %d: %v", name, len(got), err)
		}
	}
}
