package reconcile

import "slices"

// plan is what a worker changes after a beat.
type plan struct {
	claim   []int // free partitions to try, in order
	release []int // own partitions to give back
	lost    []int // partitions it runs and no longer owns
}

// share returns what worker should claim and release, so that the living share
// the partitions evenly: each at most ceil(16/living). It looks at nothing but
// its arguments; running are the partitions that the worker reads now.
func share(worker string, r Roster, running []int) plan {
	living := max(1, len(r.Workers))
	if !slices.Contains(r.Workers, worker) {
		living++
	}
	most := (Partitions + living - 1) / living
	var p plan
	var own []int
	for _, k := range running {
		if r.Owners[k] == worker {
			own = append(own, k)
		} else {
			p.lost = append(p.lost, k)
		}
	}
	slices.Sort(own)
	if len(own) > most {
		p.release = own[most:]
	}
	p.claim = free(worker, r, own, most)
	// Owned and not read: a claim or a release whose answer was lost.
	for k, owner := range r.Owners {
		if owner == worker && !slices.Contains(running, k) && !slices.Contains(p.claim, k) {
			p.release = append(p.release, k)
		}
	}
	return p
}

// free lists partitions to claim: those that are its own already, then those of
// nobody. Workers begin at different places, so that two that start together seldom
// try the same one.
func free(worker string, r Roster, own []int, most int) []int {
	at := max(0, slices.Index(r.Workers, worker)) * most
	var out []int
	for _, owner := range []string{worker, ""} {
		for i := range Partitions {
			k := (at + i) % Partitions
			if len(own)+len(out) < most && r.Owners[k] == owner && !slices.Contains(own, k) {
				out = append(out, k)
			}
		}
	}
	return out
}
