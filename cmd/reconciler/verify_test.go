package main

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"consilience/audit"
	"consilience/command"
	"consilience/record"
)

// museum is a space on the shared store with two deltas: g and n, which refers to
// g; then a, which refers to n.
type museum struct {
	*crowd
	space   string
	g, n, a record.Record
}

func newMuseum(t *testing.T, space string) museum {
	t.Helper()
	c := newCrowd(t, dev(t), t.TempDir())
	m := museum{crowd: c, space: space}
	_, err := c.desk.fact(c.ctx, command.KindSpace, command.Space{Name: space, Policy: command.DefaultPolicy()})
	m.must(err)
	for _, name := range []string{"keeper", "guard"} {
		m.must(c.create(name))
		_, err := c.desk.fact(c.ctx, command.KindEnroll, command.Enroll{Key: c.key[name].Public(), Name: space + "-" + name, Spaces: []string{space}})
		m.must(err)
	}
	m.g, err = c.text("keeper", "The east wing is closed.")
	m.must(err)
	m.n, err = c.text("keeper", "Visitors go by the garden.", m.g)
	m.must(err)
	m.a, err = c.text("guard", "The garden gate is open.", m.n)
	m.must(err)
	_, err = c.propose("keeper", space, m.g, m.n)
	m.must(err)
	_, err = c.propose("guard", space, m.a)
	m.must(err)
	return m
}

func (m museum) must(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

// alter runs a statement on the store's tables, and verify, and takes the change
// back by undo.
func (m museum) alter(do, undo func(ctx context.Context) error) (audit.Report, ran) {
	m.t.Helper()
	m.must(do(m.ctx))
	got := reconciler(m.ctx, "verify", "--dir", m.s.dir, "--space", m.space, "--json")
	human := reconciler(m.ctx, "verify", "--dir", m.s.dir, "--space", m.space)
	m.must(undo(m.ctx))
	var r audit.Report
	m.must(json.Unmarshal([]byte(got.out), &r))
	if human.status != got.status {
		m.t.Errorf("status %d for people, %d for programs", human.status, got.status)
	}
	return r, ran{got.status, human.out, got.err}
}

// TestVerifyFindsWhatAnSQLUserAltered alters rows by UPDATE and DELETE, as somebody
// with the database's password could (N-31, N-32, N-34, N-35, N-36, N-69).
func TestVerifyFindsWhatAnSQLUserAltered(t *testing.T) {
	m := newMuseum(t, "museum")
	pool := m.s.store.Pool()
	exec := func(sql string, args ...any) func(context.Context) error {
		return func(ctx context.Context) error { _, err := pool.Exec(ctx, sql, args...); return err }
	}
	forged, err := record.New(record.Text, []byte("Visitors go by the cellar."), m.n.Pairs, m.n.Contributor, m.n.WrittenAt)
	m.must(err)
	restore := exec("UPDATE consilience.record SET content = $2, forward = $3, content_hash = $4, record_id = $1, erased = false WHERE record_id = ANY($5)",
		m.n.ID[:], m.n.Content, m.n.Forward, m.n.ContentHash[:], [][]byte{m.n.ID[:], forged.ID[:]})
	m.must(exec("CREATE TABLE taken (LIKE consilience.record)")(m.ctx))
	defer exec("DROP TABLE taken")(m.ctx)
	for _, c := range []struct {
		name       string
		do, undo   func(context.Context) error
		tampered   []string // faults, sorted
		at         record.ID
		observer   bool // a sees it
		unresolved []record.ID
	}{
		{"content flipped", exec("UPDATE consilience.record SET content = 'Visitors go by the cellar.' WHERE record_id = $1", m.n.ID[:]), restore,
			[]string{"content", "pair_content"}, m.n.ID, true, nil},
		{"called erased", exec("UPDATE consilience.record SET content = NULL, erased = true WHERE record_id = $1", m.n.ID[:]), restore,
			[]string{"content", "pair_content"}, m.n.ID, true, nil},
		{"hash rewritten too", exec("UPDATE consilience.record SET content = $2, forward = $3, content_hash = $4 WHERE record_id = $1",
			m.n.ID[:], forged.Content, forged.Forward, forged.ContentHash[:]), restore, []string{"forward", "pair_content"}, m.n.ID, true, nil},
		{"consistent rewrite", exec("UPDATE consilience.record SET record_id = $5, content = $2, forward = $3, content_hash = $4 WHERE record_id = $1",
			m.n.ID[:], forged.Content, forged.Forward, forged.ContentHash[:], forged.ID[:]), restore,
			[]string{audit.FaultSignature}, forged.ID, false, []record.ID{m.n.ID, m.a.ID}},
		{"envelope swapped",
			exec(`UPDATE consilience.applied_delta d SET envelope = set_byte(envelope, length(envelope) - 1, get_byte(envelope, length(envelope) - 1) # 1)
				FROM consilience.record r WHERE r.record_id = $1 AND d.space = r.space AND d.seq = r.seq`, m.a.ID[:]),
			exec(`UPDATE consilience.applied_delta d SET envelope = set_byte(envelope, length(envelope) - 1, get_byte(envelope, length(envelope) - 1) # 1)
				FROM consilience.record r WHERE r.record_id = $1 AND d.space = r.space AND d.seq = r.seq`, m.a.ID[:]),
			[]string{audit.FaultSignature}, m.a.ID, false, nil},
		{"record removed",
			exec("WITH gone AS (DELETE FROM consilience.record WHERE record_id = $1 RETURNING *) INSERT INTO taken SELECT * FROM gone", m.n.ID[:]),
			exec("WITH back AS (DELETE FROM taken RETURNING *) INSERT INTO consilience.record SELECT * FROM back"),
			nil, record.ID{}, false, []record.ID{m.n.ID, m.a.ID}},
	} {
		r, got := m.alter(c.do, c.undo)
		var faults []string
		for _, f := range r.Tampered {
			faults = append(faults, f.Fault)
			if f.Record != c.at {
				t.Errorf("%s: %s is at fault, not %s", c.name, f.Record, c.at)
			}
			if !strings.Contains(got.out, f.Record.String()) {
				t.Errorf("%s: people are not told of %s:\n%s", c.name, f.Record, got.out)
			}
		}
		slices.Sort(faults)
		slices.SortFunc(c.unresolved, func(x, y record.ID) int { return slices.Compare(x[:], y[:]) })
		if got.status != 1 || !slices.Equal(faults, c.tampered) || slices.Contains(r.Observers, m.a.ID) != c.observer || !slices.Equal(r.Unresolved, c.unresolved) {
			t.Errorf("%s: status %d, %+v", c.name, got.status, r)
		}
	}
	if r, got := m.alter(exec("SELECT 1"), exec("SELECT 1")); got.status != 0 || r.Records != 3 || r.Intact != 3 {
		t.Errorf("after all is as it was: %+v", r)
	}
}

// TestVerifyBelievesASignedErase erases a content by command, and then takes the
// proof away: a row that says "erased" is worth what its operator signed (N-31).
func TestVerifyBelievesASignedErase(t *testing.T) {
	m := newMuseum(t, "archive")
	erase, err := m.desk.seal(command.KindErase, command.Judgement{Space: m.space, Record: m.n.ID, Reason: "asked for"})
	m.must(err)
	seq, err := m.s.bus.Publish(m.ctx, erase.subject, erase.raw)
	m.must(err)
	m.must(passed(m.ctx, m.s.store, command.Partition(m.space), seq))
	pool := m.s.store.Pool()
	exec := func(sql string, args ...any) func(context.Context) error {
		return func(ctx context.Context) error { _, err := pool.Exec(ctx, sql, args...); return err }
	}
	if r, got := m.alter(exec("SELECT 1"), exec("SELECT 1")); got.status != 0 || !slices.Equal(r.Erased, []record.ID{m.n.ID}) || r.Intact != 3 {
		t.Errorf("erased by command: status %d, %+v", got.status, r)
	}
	flip := exec("UPDATE consilience.judgement SET envelope = set_byte(envelope, 200, get_byte(envelope, 200) # 1) WHERE kind = 'erase' AND record = $1", m.n.ID[:])
	r, got := m.alter(flip, flip)
	if got.status != 1 || len(r.Erased) != 0 || len(r.Tampered) == 0 || r.Tampered[0].Record != m.n.ID || r.Tampered[0].Fault != record.FaultContent {
		t.Errorf("the proof altered: status %d, %+v", got.status, r)
	}
}
