package postgres

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"consilience/command"
	"consilience/record"
)

// randomly writes a log of n steps in which everything happens: several lineages,
// claims that contradict each other, revisions, absences, echoes, judgements,
// locks, quarantines and releases, splits, erasures and refused deltas.
func (w *world) randomly(r *rand.Rand, n int) {
	names := []string{"ann", "bob", "cyd", "dan"}
	for i, name := range names {
		w.enroll(name, func(e *command.Enroll) {
			e.Vouched = i < 2
			if i > 2 {
				e.Origin = "vendor"
			}
		})
	}
	w.derive("ann-2", "ann")
	w.derive("ann-3", "ann-2")
	w.derive("dan-2", "dan")
	g := &gambler{w: w, r: r, names: append(names, "ann-2", "ann-3", "dan-2")}
	for range n {
		g.step()
	}
}

// gambler takes random steps.
type gambler struct {
	w       *world
	r       *rand.Rand
	names   []string
	records []record.Record
	jailed  []string
}

func (g *gambler) name() string { return g.names[g.r.IntN(len(g.names))] }

func (g *gambler) some() record.Record { return g.records[g.r.IntN(len(g.records))] }

func (g *gambler) step() {
	steps := []func(){
		g.propose, g.propose, g.propose, g.propose, g.claim, g.claim, g.restate, g.refer,
	}
	if len(g.records) > 3 {
		steps = append(steps, g.revise, g.revise, g.absent, g.serve, g.judge, g.judge, g.judge, g.mask, g.free, g.rare)
	}
	steps[g.r.IntN(len(steps))]()
}

func (g *gambler) base() uint32 { return 1 + g.r.Uint32N(1_000_000) }

func (g *gambler) keep(rs []record.Record) { g.records = append(g.records, rs...) }

func (g *gambler) propose() {
	d := g.w.by(g.name())
	for range 1 + g.r.IntN(3) {
		d.says(fmt.Sprintf("fact %d", g.r.IntN(40)), g.base())
	}
	if g.r.IntN(4) == 0 {
		d.propose(g.w.record(d.by, record.Binary, "\x00\xff\x00"+fmt.Sprint(g.r.IntN(5))), g.base())
	}
	g.keep(d.send())
}

func (g *gambler) claim() {
	g.keep(g.w.by(g.name()).claims(fmt.Sprintf("Flight-%d", g.r.IntN(4)), fmt.Sprint(g.r.IntN(3)), g.base()).send())
}

// restate proposes a record again, by its author in another delta.
func (g *gambler) restate() {
	if len(g.records) == 0 {
		return
	}
	again := g.some()
	for _, name := range g.names {
		if idOf(name) == again.Contributor {
			g.w.by(name).propose(again, g.base()).send()
		}
	}
}

func (g *gambler) refer() {
	if len(g.records) == 0 {
		return
	}
	d := g.w.by(g.name())
	g.keep(d.propose(g.w.record(d.by, record.Text, fmt.Sprintf("because %d", g.r.IntN(40)), g.some(), g.some()), g.base()).send())
}

func (g *gambler) revise() {
	old := g.some()
	d := g.w.by(g.name()).from()
	g.keep(d.modify(record.ItemID(old.ID), g.w.record(d.by, record.Text, fmt.Sprintf("fact %d", g.r.IntN(40)), old), g.base()).send())
}

func (g *gambler) absent() {
	g.w.by(g.name()).from().absent(record.ItemID(g.some().ID), g.base()).send()
}

func (g *gambler) serve() { g.w.served(g.name(), g.some().Is()) }

func (g *gambler) judge() {
	if g.r.IntN(2) == 0 {
		g.w.confirm(g.some().ID)
	} else {
		g.w.contradict(g.some().ID)
	}
}

func (g *gambler) mask() {
	name := g.name()
	g.jailed = append(g.jailed, name)
	since := uint64(0)
	if g.r.IntN(2) == 0 {
		since = g.r.Uint64N(g.w.seq)
	}
	g.w.quarantine(name, since, g.r.IntN(3) == 0)
}

func (g *gambler) free() {
	for len(g.jailed) > 0 {
		g.w.release(g.jailed[0])
		g.jailed = g.jailed[1:]
	}
}

func (g *gambler) rare() {
	switch g.r.IntN(6) {
	case 0:
		g.w.judge(command.KindSplit, command.Judgement{Space: spaceName, Record: g.some().ID, Reason: "another thing"})
	case 1:
		if a, b := g.some().ID, g.some().ID; a != b {
			g.w.judge(command.KindRival, command.Rival{Space: spaceName, Item: record.ItemID(a), Other: record.ItemID(b)})
		}
	case 2:
		g.w.judge(command.KindErase, command.Judgement{Space: spaceName, Record: g.some().ID, Reason: "asked to"})
	case 3:
		p := command.DefaultPolicy()
		p.NearZero = 10_000 + g.r.Uint32N(100_000)
		p.LineageDistance = g.r.Uint32N(3)
		g.w.fact(command.KindPolicy, command.PolicyChange{Space: spaceName, Policy: p})
	case 4:
		g.w.enroll("dan", func(e *command.Enroll) { e.Origin = fmt.Sprint("o", g.r.IntN(3)); e.Vouched = g.r.IntN(2) == 0 })
	case 5:
		d := g.w.by(g.name())
		d.delta.Sequence = 1 // used
		d.says("late", g.base()).send()
	}
}

// A space in the database and the same space in memory are one state, whatever
// the batches were (Q23; merge.md: merge(batch) = merge(e1); ...; merge(en)).
func TestStoreEqualsMemory(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 1))
			w := newWorld(t, func(p *command.Policy) {
				if seed%2 == 1 {
					p.Admission = command.AdmissionOpen
				}
				if seed%4 == 3 {
					p.Reputation = command.ReputationEMA
				}
			})
			w.randomly(r, 120)
			s, db := openStore(t)
			w.fill(s, 1+r.IntN(40), 1+r.IntN(10), 1+r.IntN(80))
			got, revision, err := s.Digest(t.Context(), spaceName)
			if err != nil {
				t.Fatal(err)
			}
			if want := w.digest(); got != want {
				t.Errorf("digest %x, in memory %x", got, want)
			}
			if revision != w.memory.Space.LastSeq {
				t.Errorf("revision %d, in memory %d", revision, w.memory.Space.LastSeq)
			}
			plan := w.memory.Drain()
			w.checkViews(db, plan)
			w.checkTaint(t.Context(), s, plan)
		})
	}
}
