package record

// maxReferrers is how many back-references are followed to corroborate one fault.
const maxReferrers = 16

// checkPair compares one pair of the record holder with the record that it names.
// The Kind of the fault is "" if the pair holds.
func checkPair(holder ID, pair Pair, src Source) (Fault, error) {
	fault := Fault{Record: pair.Record}
	stored, ok, err := src.Get(pair.Record)
	switch {
	case err != nil:
		return Fault{}, err
	case !ok:
		fault.Kind = FaultMissing
		return fault, nil
	case stored.Erased:
		fault.Kind = FaultErased
		return fault, nil
	}
	// The hash that the content has now, not the one its record states: whoever
	// altered the content may have rewritten the statement too.
	now := HashOf(stored.Content)
	if now == pair.Hash {
		return Fault{}, nil
	}
	return weigh(fault, holder, pair, stored, now, src)
}

// weigh says what kind of fault a failed pair is and which side was altered. The
// id of the referenced record decides where it can: a forward part that has the
// id states the hash that the content had. Where the forward part was altered
// too, other records that refer to it are asked.
func weigh(fault Fault, holder ID, pair Pair, stored Record, now Hash, src Source) (Fault, error) {
	_, kind := inspect(pair.Record, stored)
	var err error
	switch kind {
	case FaultForm:
		fault.Kind = FaultForm
	case "":
		fault.Kind, fault.Evidence = FaultPairPointer, PointerSuspect
	case FaultContent:
		fault.Kind, fault.Evidence = FaultPairContent, NodeSuspect
	default:
		fault.Kind = FaultPairContent
		fault.Evidence, err = corroborate(holder, pair, now, src)
	}
	return fault, err
}

// corroborate asks the other records that refer to pair.Record which hash it had
// when they were written (section 4.4, the use of back-references): all agree
// with the pair, the record was altered; all agree with its content now, the pair
// is wrong; none or both, undecided. At most maxReferrers are fetched.
func corroborate(holder ID, pair Pair, now Hash, src Source) (Evidence, error) {
	candidates, err := src.BackReferences(pair.Record, maxReferrers)
	if err != nil {
		return "", err
	}
	asked := map[ID]bool{holder: true, pair.Record: true}
	before, after := false, false
	for _, c := range candidates[:min(len(candidates), maxReferrers)] {
		if asked[c] {
			continue
		}
		asked[c] = true
		hashes, err := testimony(c, pair.Record, src)
		if err != nil {
			return "", err
		}
		for _, h := range hashes {
			before = before || h == pair.Hash
			after = after || h == now
		}
	}
	switch {
	case before && !after:
		return NodeSuspect, nil
	case after && !before:
		return PointerSuspect, nil
	}
	return Undecided, nil
}

// testimony returns the hashes that the record of id pairs with node. A
// back-reference is written by anybody, so it counts only through a record that
// is there, whose forward part has its id, and that does refer to node.
func testimony(id, node ID, src Source) (hashes []Hash, err error) {
	stored, ok, err := src.Get(id)
	if err != nil || !ok {
		return nil, err
	}
	r, err := DecodeForward(stored.Forward)
	if err != nil || r.ID != id {
		return nil, nil
	}
	for _, p := range r.Pairs {
		if p.Record == node {
			hashes = append(hashes, p.Hash)
		}
	}
	return hashes, nil
}
