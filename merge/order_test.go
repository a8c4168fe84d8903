package merge

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"consilience/delta"
	"consilience/record"
)

// N-64, AN-15: given the joins and each stance's stored reputation, depth, proven
// and echo, the result does not depend on the order of independent deltas.
func TestOrderOfDeltas(t *testing.T) {
	n := histories(t, 10_000)
	for part := range 20 {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(uint64(part), 11))
			o := newOrders(t)
			for range n / 20 {
				o.check(t, rng)
			}
		})
	}
}

// orders is a space in which one contributor founded six items and everybody got
// a slice of them; what follows is independent deltas.
type orders struct {
	*world
	base map[string]delta.Base
}

var speakers = []string{"a", "b", "c", "d", "e"}

func newOrders(t *testing.T) *orders {
	o := &orders{world: newWorld(t), base: map[string]delta.Base{}}
	o.enroll("founder", enrolled{})
	for i, name := range speakers {
		o.enroll(name, enrolled{vouched: i%2 == 0, r0: uint32(i) * 200_000})
	}
	if err := o.derive("b2", "b"); err != nil {
		t.Fatal(err)
	}
	d := o.by("founder")
	for i := range 6 {
		d.claims(fmt.Sprintf("s%d", i/2), i%2, 500_000)
	}
	d.merged()
	for _, name := range append(speakers, "b2") {
		o.base[name] = o.slice(name, o.seq)
	}
	return o
}

// check merges some deltas in two orders that keep each contributor's own.
func (o *orders) check(t *testing.T, rng *rand.Rand) {
	var bodies []*DeltaBody
	own := map[string]uint64{}
	for range 2 + rng.IntN(5) {
		bodies = append(bodies, o.someDelta(rng, own))
	}
	a, b := o.merge(t, bodies), o.merge(t, shuffled(bodies, rng))
	for no, it := range b.items {
		stored(it, a.items[no])
	}
	b.Settle(o.fleet.At(1000), Sweep{All: true, Seq: 1000})
	for no, it := range a.items {
		if other := b.items[no]; it.numbers() != headless(other, it) {
			t.Fatalf("item %d is %v in one order and %v in another", no, it.numbers(), other.numbers())
		}
	}
}

// someDelta supports and doubts items that are there.
func (o *orders) someDelta(rng *rand.Rand, own map[string]uint64) *DeltaBody {
	name := append(speakers, "b2")[rng.IntN(len(speakers)+1)]
	own[name]++
	base := o.base[name]
	b := &DeltaBody{}
	b.Delta = delta.Delta{Space: spaceName, Contributor: idOf(name), Sequence: own[name], Base: &base}
	b.Records = map[record.ID]record.Record{}
	o.nonce++
	binary.BigEndian.PutUint64(b.ID[:], o.nonce)
	for i := range 6 {
		value := 1 + rng.Uint32N(1_000_000)
		content := claim(fmt.Sprintf("s%d", i/2), i%2)
		switch rng.IntN(4) {
		case 0:
			r := o.record(name, record.Structured, content)
			b.Records[r.ID], b.Order = r, append(b.Order, r.ID)
			b.Delta.New = append(b.Delta.New, delta.New{Record: r.ID, Base: value})
		case 1:
			b.Delta.Absent = append(b.Delta.Absent, delta.Absent{Item: o.ofContent(record.Structured, content).ID, Strength: value})
		}
	}
	return b
}

// merge merges deltas after the log so far.
func (o *orders) merge(t *testing.T, bodies []*DeltaBody) *State {
	s := NewState(SpaceState{Num: 1, Name: spaceName})
	s.Complete = true
	log := o.log
	for i, b := range bodies {
		log = append(log[:len(log):len(log)], Entry{Seq: o.seq + 1 + uint64(i), Body: b})
	}
	for _, e := range log {
		apply(t, s, o.fleet, e, nil)
	}
	return s
}

// shuffled is another order that keeps each contributor's own.
func shuffled(bodies []*DeltaBody, rng *rand.Rand) []*DeltaBody {
	own := map[string][]*DeltaBody{}
	for _, b := range bodies {
		key := b.Delta.Contributor.String()
		own[key] = append(own[key], b)
	}
	out := make([]*DeltaBody, len(bodies))
	for i, j := range rng.Perm(len(bodies)) {
		key := bodies[j].Delta.Contributor.String()
		out[i], own[key] = own[key][0], own[key][1:]
	}
	return out
}

// stored gives the statements of it what the same statements of like have stored.
func stored(it, like *Item) {
	for _, st := range it.Statements {
		for _, other := range like.Statements {
			if byStatement(st, other) == 0 {
				st.Reputation, st.Depth, st.Proven, st.Echo = other.Reputation, other.Depth, other.Proven, other.Echo
			}
		}
	}
}

// headless are the numbers of it with the head named as in like: record numbers
// follow the order, record ids do not.
func headless(it, like *Item) numbers {
	n := it.numbers()
	if it.recordID(it.Head) == like.recordID(like.Head) {
		n.head = like.Head
	}
	return n
}
