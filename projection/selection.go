package projection

import (
	"cmp"
	"slices"

	"consilience/reason"
)

// Candidate is an object that might be delivered.
type Candidate struct {
	// Object is the complete source object.
	Object []byte
	// Note is whatever the caller's [Rules] need to know about the object beyond what
	// its source says. It is never signed and never leaves.
	Note any
	// Opened is the source's result. The producer sets it before any rule sees the
	// candidate.
	Opened Opened
}

// Rules are a selection policy, compiled from its committed bytes and from nothing
// else: a setting that is not in the bytes must not exist (P-19).
type Rules interface {
	// Admit reports whether the policy lets the candidate be delivered; if not, it is
	// counted as policy_filtered.
	Admit(Candidate) bool
	// Compare orders what was admitted, as for [slices.SortStableFunc].
	Compare(a, b Candidate) int
	// Limits are the policy's bounds and switches.
	Limits() Limits
}

// Limits are the parts of a selection policy that every producer applies itself.
type Limits struct {
	MaxBytes       int64 // bytes of the projection
	MaxObjects     int64 // delivered entries
	DropDuplicates bool  // a second copy of an object is policy_filtered; else it stops the production
	DropImitations bool  // a body with a literal of the frame in it is policy_filtered (AP-9)
}

// Compiler makes Rules of policy bytes.
type Compiler func(policy []byte) (Rules, error)

// SelectionPolicy is a small selection policy for sources that know nothing but
// their objects. Its bytes are its JSON form, every member required.
type SelectionPolicy struct {
	MaxBytes       int64   // max_bytes
	MaxObjects     int64   // max_objects
	Trust          []Trust // trust: what may be delivered, best first; the order of delivery
	DropDuplicates bool    // drop_duplicates
	DropImitations bool    // drop_imitations
}

// DefaultSelectionPolicy delivers verified content only, and no body that imitates
// a frame.
func DefaultSelectionPolicy() SelectionPolicy {
	return SelectionPolicy{
		MaxBytes: 65_536, MaxObjects: 20, Trust: []Trust{Self, Trusted}, DropDuplicates: true, DropImitations: true,
	}
}

// Bytes are the policy as it is committed to.
func (p SelectionPolicy) Bytes() []byte {
	var c canonical
	c.flag(`{"drop_duplicates":`, p.DropDuplicates)
	c.flag(`,"drop_imitations":`, p.DropImitations)
	c.integer(`,"max_bytes":`, p.MaxBytes)
	c.integer(`,"max_objects":`, p.MaxObjects)
	c.raw(`,"trust":[`)
	for i, t := range p.Trust {
		if i > 0 {
			c.raw(`,`)
		}
		c.text(``, string(t))
	}
	c.raw(`]}`)
	return c
}

// CompileSelectionPolicy is the [Compiler] of a [SelectionPolicy]. It returns
// [reason.PolicyInvalid].
func CompileSelectionPolicy(policy []byte) (Rules, error) {
	var p SelectionPolicy
	w := walker{data: policy, code: reason.PolicyInvalid}
	err := w.document([]member{
		{name: "drop_duplicates", read: boolean(&p.DropDuplicates)},
		{name: "drop_imitations", read: boolean(&p.DropImitations)},
		{name: "max_bytes", read: integer(&p.MaxBytes, 0)},
		{name: "max_objects", read: integer(&p.MaxObjects, 0)},
		{name: "trust", read: func(w *walker) bool {
			return w.list(func(int) bool {
				var t Trust
				if !oneOf(&t, Self, Trusted, Unverified)(w) {
					return false
				}
				twice := slices.Contains(p.Trust, t)
				p.Trust = append(p.Trust, t)
				return !twice || w.fail("a trust that is named twice")
			})
		}},
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Admit reports whether the candidate's trust is one that the policy delivers.
func (p SelectionPolicy) Admit(c Candidate) bool { return slices.Contains(p.Trust, c.Opened.Trust) }

// Compare puts better trust first.
func (p SelectionPolicy) Compare(a, b Candidate) int {
	return cmp.Compare(slices.Index(p.Trust, a.Opened.Trust), slices.Index(p.Trust, b.Opened.Trust))
}

// Limits are the policy's own.
func (p SelectionPolicy) Limits() Limits {
	return Limits{p.MaxBytes, p.MaxObjects, p.DropDuplicates, p.DropImitations}
}
