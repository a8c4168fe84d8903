package reconcile

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// company is workers that share partitions through a roster, without a store.
type company struct {
	roster  Roster
	running map[string][]int
}

// beat lets one worker act on the roster as it is.
func (c *company) beat(w string) {
	p := share(w, c.roster, c.running[w])
	for _, k := range append(p.lost, p.release...) {
		c.running[w] = slices.DeleteFunc(c.running[w], func(r int) bool { return r == k })
	}
	for _, k := range p.release {
		if c.roster.Owners[k] == w {
			c.roster.Owners[k] = ""
		}
	}
	for _, k := range p.claim {
		if c.roster.Owners[k] == "" || c.roster.Owners[k] == w {
			c.roster.Owners[k] = w
			c.running[w] = append(c.running[w], k)
		}
	}
}

func (c *company) setLiving(n int) {
	c.roster.Workers = nil
	for i := range n {
		c.roster.Workers = append(c.roster.Workers, fmt.Sprintf("w%02d", i))
	}
	for k, owner := range c.roster.Owners {
		if !slices.Contains(c.roster.Workers, owner) {
			c.roster.Owners[k] = ""
		}
	}
	for w := range c.running {
		if !slices.Contains(c.roster.Workers, w) {
			delete(c.running, w)
		}
	}
}

// Workers that come and go settle, whatever order they beat in: every partition
// is owned once, and nobody owns more than its share.
func TestSharesSettle(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	c := company{running: map[string][]int{}}
	for range 300 {
		n := 1 + rng.IntN(20)
		c.setLiving(n)
		for range 3 {
			for _, i := range rng.Perm(n) {
				c.beat(c.roster.Workers[i])
			}
		}
		most := (Partitions + n - 1) / n
		owned := map[int]string{}
		for w, ks := range c.running {
			if len(ks) > most {
				t.Fatalf("%s of %d reads %d partitions, its share is %d", w, n, len(ks), most)
			}
			for _, k := range ks {
				if owned[k] != "" {
					t.Fatalf("partition %d is read by %s and %s", k, owned[k], w)
				}
				owned[k] = w
			}
		}
		if len(owned) != Partitions {
			t.Fatalf("%d workers read %d partitions", n, len(owned))
		}
	}
}

// A worker whose partition was taken over gives it up without releasing it: it is
// no longer its own to release.
func TestShareLetsGoOfWhatWasTaken(t *testing.T) {
	t.Parallel()
	r := Roster{Workers: []string{"a", "b"}}
	r.Owners[3] = "b"
	p := share("a", r, []int{3})
	if !slices.Equal(p.lost, []int{3}) || slices.Contains(p.release, 3) || slices.Contains(p.claim, 3) {
		t.Errorf("share = %+v", p)
	}
}

// A worker that the roster does not list, since it has not yet been heard, counts itself.
func TestShareOfANewWorkerCountsItself(t *testing.T) {
	t.Parallel()
	p := share("b", Roster{Workers: []string{"a"}}, nil)
	if len(p.claim) != Partitions/2 {
		t.Errorf("a second worker claims %d partitions, want %d", len(p.claim), Partitions/2)
	}
}

// A partition that a worker owns and does not read, since the answer to its claim
// was lost, is claimed again, or given back by a worker that has its share.
func TestShareMendsWhatWasLost(t *testing.T) {
	t.Parallel()
	r := Roster{Workers: []string{"a", "b"}}
	r.Owners[9] = "a"
	if p := share("a", r, nil); len(p.claim) != Partitions/2 || p.claim[0] != 9 {
		t.Errorf("with room: %+v", p)
	}
	running := []int{0, 1, 2, 3, 4, 5, 6, 7}
	for _, k := range running {
		r.Owners[k] = "a"
	}
	if p := share("a", r, running); len(p.claim) != 0 || !slices.Equal(p.release, []int{9}) {
		t.Errorf("without: %+v", p)
	}
}
