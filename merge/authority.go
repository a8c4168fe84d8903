package merge

import "consilience/command"

// Thresholds of the authority rules, ppm of belief or support (merge.md).
const (
	fleetBelief   = 900_000
	openBelief    = 500_000
	strictSupport = 900_000
	minGroups     = 2
)

// Standing is what authority looks at, of an item and of each of its rivals.
type Standing struct {
	Status     Status
	Verdict    Verdict
	Confidence uint32 // ppm
	Support    uint32 // S, ppm
	Groups     uint32 // counted
}

// Standing returns the item's.
func (it *Item) Standing() Standing {
	return Standing{it.Status, it.Verdict, it.Confidence, it.Support, it.Groups}
}

// Rivals reports whether it speaks against another item at all: it is active and not
// contradicted.
func (x Standing) Rivals() bool { return x.Status == Active && x.Verdict != Contradicted }

// BeliefAmong is the belief of x among all its rivals; the masked and the
// contradicted do not speak.
func BeliefAmong(x Standing, rivals []Standing) uint32 {
	strongest := uint32(0)
	for _, r := range rivals {
		if r.Rivals() {
			strongest = max(strongest, r.Confidence)
		}
	}
	return Belief(x.Confidence, strongest)
}

// Authoritative reports whether consumers may rely on x (draft section 6). rule is
// the policy's authority, nearZero its threshold in ppm. Masked, contradicted and
// near-zero items never are, nor is one with a confirmed rival (rulings Q24).
func Authoritative(rule string, nearZero uint32, x Standing, rivals []Standing) bool {
	if !x.Rivals() || x.Confidence < nearZero {
		return false
	}
	for _, r := range rivals {
		if r.Rivals() && r.Verdict == Confirmed {
			return false
		}
	}
	if x.Verdict == Confirmed {
		return true
	}
	switch belief := BeliefAmong(x, rivals); rule {
	case command.AuthorityOpen:
		return belief >= openBelief
	case command.AuthorityStrict:
		return x.Support >= strictSupport && x.Groups >= minGroups && outweighsAll(x, rivals)
	default:
		return belief >= fleetBelief && x.Groups >= minGroups
	}
}

func outweighsAll(x Standing, rivals []Standing) bool {
	for _, r := range rivals {
		if r.Rivals() && !Outweighs(x.Support, r.Support) {
			return false
		}
	}
	return true
}
