package lineage

// Mask returns the first stream sequence from which statements of n are masked
// by a quarantine of n or of an ancestor; masked is false if there is none.
func (v View) Mask(n Node) (since uint64, masked bool) {
	if v.g == nil || len(v.g.masked) == 0 {
		return 0, false
	}
	since, masked = v.ownMask(n, 0, false)
	for _, a := range v.Ancestors(n) {
		since, masked = v.ownMask(a.Node, since, masked)
	}
	return since, masked
}

// ownMask lowers (since, masked) by the quarantine whose target is n.
func (v View) ownMask(n Node, since uint64, masked bool) (uint64, bool) {
	q, ok := v.quarantineOf(n)
	if ok && (!masked || q.Since < since) {
		return q.Since, true
	}
	return since, masked
}

// Masked reports whether a statement of n at stream sequence seq is masked.
func (v View) Masked(n Node, seq uint64) bool {
	since, masked := v.Mask(n)
	return masked && seq >= since
}

// Quarantines returns the quarantines in force, by target.
func (v View) Quarantines() []Quarantine {
	if v.g == nil {
		return nil
	}
	var qs []Quarantine
	for _, n := range v.g.masked {
		if q, ok := v.quarantineOf(n); ok {
			qs = append(qs, q)
		}
	}
	return qs
}

// quarantineOf returns the quarantine in force whose target is n (rulings Q6: one
// per target, the newest).
func (v View) quarantineOf(n Node) (Quarantine, bool) {
	facts := v.g.masks[n]
	for i := len(facts) - 1; i >= 0; i-- {
		if facts[i].Seq < v.seq {
			return facts[i].Quarantine, !facts[i].lifted
		}
	}
	return Quarantine{}, false
}

// Quarantined reports whether a quarantine has n itself as its target.
func (v View) Quarantined(n Node) bool {
	if v.g == nil {
		return false
	}
	_, ok := v.quarantineOf(n)
	return ok
}

func (v View) underMask(n Node) bool {
	_, masked := v.Mask(n)
	return masked
}
