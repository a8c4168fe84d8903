package record

import "consilience/reason"

// State is what [Validate] found about one record.
type State string

// The states, from the record's own checks first.
const (
	// Intact: the record and every direct reference are as they were written.
	Intact State = "intact"
	// Tampered: the record itself was altered, its content or its forward part.
	Tampered State = "tampered"
	// Observer: the record is intact and sees that one it refers to is not.
	Observer State = "observer"
	// Unresolved: the record, or one it refers to, is not there. Neither pass nor
	// tamper, and not authoritative.
	Unresolved State = "unresolved"
	// Erased: the content of the record, or of one it refers to, was erased. What
	// is left is intact.
	Erased State = "erased"
	// CannotValidate: the record, or one it refers to, was written under a
	// canonical form that this build does not know.
	CannotValidate State = "cannot_validate"
)

// FaultKind says what does not hold.
type FaultKind = string

// The kinds of fault. The first two lie in the record itself, the next two
// between it and the one it refers to; the last three are no sign of tampering.
const (
	FaultContent     FaultKind = "content"      // the content is not the one that the forward part states
	FaultForward     FaultKind = "forward"      // the forward part does not have the record's id
	FaultPairContent FaultKind = "pair_content" // the referenced content does not have the pair's hash
	FaultPairPointer FaultKind = "pair_pointer" // the referenced record is sound and never had the pair's hash
	FaultMissing     FaultKind = "missing"      // no record of that id
	FaultErased      FaultKind = "erased"       // the content was erased
	FaultForm        FaultKind = "form"         // the canonical form is not known here
)

// Evidence says which side of a failed pair was altered.
type Evidence = string

// The evidence of a fault; "" for a fault that needs none.
const (
	NodeSuspect    Evidence = "node_suspect"    // the referenced record was altered
	PointerSuspect Evidence = "pointer_suspect" // the pair was wrong
	Undecided      Evidence = "undecided"       // nothing decides between the two
)

// Fault is one thing that does not hold, placed at the record where it lies.
type Fault struct {
	Record   ID
	Kind     FaultKind
	Evidence Evidence
}

// Verdict is the result of validating one record.
type Verdict struct {
	Record ID
	State  State
	Faults []Fault
}

// Source is where Validate reads from.
type Source interface {
	// Get returns the stored record of exactly this id, false if there is none.
	// Only Forward, Content and Erased are looked at; Erased must stand for an erase
	// on the log, since it is what tells an erased content from a lost one.
	Get(ID) (Record, bool, error)
	// BackReferences returns up to max ids of records that are said to refer to
	// the record. They are only candidates: wrong ones do no harm.
	BackReferences(id ID, max int) ([]ID, error)
}

// ownState and pairState give the state that a fault puts a record in, a fault of
// its own and one of a record that it refers to; of several the one with the
// lowest rank stands.
var (
	ownState  = map[FaultKind]State{FaultContent: Tampered, FaultForward: Tampered, FaultMissing: Unresolved, FaultErased: Erased, FaultForm: CannotValidate}
	pairState = map[FaultKind]State{FaultPairContent: Observer, FaultPairPointer: Observer, FaultMissing: Unresolved, FaultErased: Erased, FaultForm: CannotValidate}
	rank      = map[State]int{Observer: 1, CannotValidate: 2, Unresolved: 3, Erased: 4, Intact: 5}
)

// Validate checks the record of id by itself and against the records that it
// directly refers to (section 4.4): one Get for the record and one for each pair,
// no walk beyond, no query. A record whose own check fails is the tampered one; a
// record that only sees a bad reference is an observer, and the fault is placed
// at the referenced id. Only then are back-references looked at, to tell an
// altered record from a wrong pair; in a record without fault they take no part.
// An error means that src could not be read.
func Validate(id ID, src Source) (Verdict, error) {
	v := Verdict{Record: id, State: Intact}
	stored, ok, err := src.Get(id)
	if err != nil {
		return Verdict{}, err
	}
	if !ok {
		v.add(Fault{Record: id, Kind: FaultMissing}, ownState)
		return v, nil
	}
	own, kind := inspect(id, stored)
	if kind != "" {
		v.add(Fault{Record: id, Kind: kind}, ownState)
	}
	if kind == FaultForward {
		return v, nil // its pairs are not the ones that were written
	}
	for _, pair := range own.Pairs {
		fault, err := checkPair(id, pair, src)
		if err != nil {
			return Verdict{}, err
		}
		if fault.Kind != "" {
			v.add(fault, pairState)
		}
	}
	return v, nil
}

// add notes a fault. The record's own faults decide its state before those of
// what it refers to.
func (v *Verdict) add(f Fault, states map[FaultKind]State) {
	own := len(v.Faults) > 0 && v.Faults[0].Record == v.Record
	v.Faults = append(v.Faults, f)
	if state := states[f.Kind]; !own && (v.State == Intact || rank[state] < rank[v.State]) {
		v.State = state
	}
}

// inspect reads a stored record from its bytes and returns the fault that lies in
// it alone, "" if there is none.
func inspect(id ID, stored Record) (Record, FaultKind) {
	r, err := DecodeForward(stored.Forward)
	if err != nil || r.ID != id {
		return r, FaultForward
	}
	r.Content, r.Erased = stored.Content, stored.Erased
	return r, contentFault(r.CheckContent())
}

// contentFault maps the refusal of a content to the kind of fault that it is.
func contentFault(err error) FaultKind {
	switch reason.Of(err) {
	case "":
		return ""
	case reason.ErasedContent:
		return FaultErased
	case reason.FormUnsupported:
		return FaultForm
	}
	return FaultContent
}
