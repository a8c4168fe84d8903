package reconcile_test

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"consilience/command"
	"consilience/delta"
	"consilience/identity"
	"consilience/internal/wiring"
	"consilience/record"
)

// story is a random history of a world, the same for a seed: contributors that
// agree, contradict, correct and drop each other's items, judgements, a derived
// child, quarantines and releases.
type story struct {
	w       *world
	rng     *rand.Rand
	authors []*author
	records map[string][]record.Record // founding records by space, of texts that were told
	deltas  int                        // published that no rule refuses
	masked  *author
}

func (w *world) story(seed uint64) *story {
	w.t.Helper()
	s := &story{w: w, rng: rand.New(rand.NewPCG(seed, 7)), records: map[string][]record.Record{}}
	for i := range 4 {
		s.authors = append(s.authors, w.enroll(fmt.Sprintf("author-%d", i)))
	}
	child := w.stranger("child")
	parent := s.authors[0]
	c := w.make(command.KindDerive, command.Derive{Child: child.key.Public(), Name: "child", Parents: []identity.ID{parent.id}})
	w.publish(command.SubjectFor(command.KindDerive, "", child.id), command.Seal(c, parent.key, child.key))
	s.authors = append(s.authors, child)
	return s
}

// tell publishes n more entries.
func (s *story) tell(n int) {
	s.w.t.Helper()
	s.w.together(func() { s.compose(n) })
}

func (s *story) compose(n int) {
	for range n {
		space := s.w.spaces[s.rng.IntN(len(s.w.spaces))]
		a := s.authors[s.rng.IntN(len(s.authors))]
		switch p := s.rng.IntN(100); {
		case p < 60 || len(s.records[space]) == 0:
			s.propose(space, a)
		case p < 75:
			s.correct(space, a)
		case p < 85:
			s.drop(space, a)
		case p < 97:
			s.judge(space)
		default:
			s.mask()
		}
	}
}

// propose publishes texts and claims of a small world, so that many join.
func (s *story) propose(space string, a *author) {
	var rs []record.Record
	for _, i := range s.rng.Perm(40)[:1+s.rng.IntN(4)] {
		if i%3 == 0 {
			rs = append(rs, a.claim(fmt.Sprintf("subject %d", i), "has", fmt.Sprintf("value %d", s.rng.IntN(3))))
			continue
		}
		r := a.text(fmt.Sprintf("text %d", i))
		rs = append(rs, r)
		if !slices.ContainsFunc(s.records[space], func(k record.Record) bool { return k.Is() == r.Is() }) {
			s.records[space] = append(s.records[space], r)
		}
	}
	a.send(space, rs...)
	s.deltas++
}

// slice issues a slice of everything told so far.
func (s *story) slice(space string, a *author) *delta.Base {
	issued := delta.SliceIssued{Store: s.w.store, Space: space, Contributor: a.id, Revision: 1 << 40, Digest: [32]byte{byte(s.rng.Uint32()), byte(s.deltas), byte(s.deltas >> 8)}}
	s.w.publish(command.SliceSubject(space, a.id), delta.SealSlice(issued, s.w.service))
	return &delta.Base{Digest: issued.Digest, Revision: issued.Revision}
}

// correct publishes a modification of one item.
func (s *story) correct(space string, a *author) {
	old := s.records[space][s.rng.IntN(len(s.records[space]))]
	r := a.text(fmt.Sprintf("correction %d", s.rng.IntN(10)), record.Pair{Record: old.ID, Hash: old.ContentHash})
	d := a.next(space)
	d.Base = s.slice(space, a)
	d.Modified = []delta.Modified{{Item: record.ItemID(old.ID), Record: r.ID, Base: 700_000}}
	raw, _ := a.seal(d, r)
	s.w.publish(command.DeltaSubject(space, a.id), raw)
	s.deltas++
}

// drop publishes the absence of one item.
func (s *story) drop(space string, a *author) {
	old := s.records[space][s.rng.IntN(len(s.records[space]))]
	d := a.next(space)
	d.Base = s.slice(space, a)
	d.Absent = []delta.Absent{{Item: record.ItemID(old.ID), Strength: 500_000}}
	raw, _ := a.seal(d)
	s.w.publish(command.DeltaSubject(space, a.id), raw)
	s.deltas++
}

// judge confirms or contradicts a record.
func (s *story) judge(space string) {
	kind := []command.Kind{command.KindConfirm, command.KindContradict}[s.rng.IntN(2)]
	r := s.records[space][s.rng.IntN(len(s.records[space]))]
	s.w.command(kind, command.Judgement{Space: space, Record: r.ID, Reason: "the story says so"})
}

// mask quarantines somebody, or releases whoever is.
func (s *story) mask() {
	if s.masked != nil {
		s.w.command(command.KindRelease, command.Release{Contributor: s.masked.id, Reason: "over"})
		s.masked = nil
		return
	}
	s.masked = s.authors[s.rng.IntN(len(s.authors))]
	s.w.command(command.KindQuarantine, command.Quarantine{Contributor: s.masked.id, Reason: "the story says so"})
}

// allMerged fails unless every delta of the story was merged, once: none refused,
// none lost, none twice.
func (s *story) allMerged(store wiring.Store) {
	s.w.t.Helper()
	if n := s.w.count(store, "SELECT count(*) FROM consilience.applied_delta"); n != s.deltas {
		s.w.t.Errorf("%d deltas applied, %d published", n, s.deltas)
	}
	if n := s.w.count(store, "SELECT count(*) FROM consilience.outcome WHERE status = 'merged'"); n != s.deltas {
		s.w.t.Errorf("%d outcomes, %d deltas published", n, s.deltas)
	}
	if n := s.w.count(store, "SELECT count(*) FROM consilience.rejection WHERE subject LIKE '%.delta.%'"); n != 0 {
		s.w.t.Errorf("%d deltas refused", n)
	}
}
