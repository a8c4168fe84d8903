package audit

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"consilience/record"
)

// localize looks at each suspect with its neighbours and says where the fault lies.
func (a *auditor) localize(ctx context.Context) error {
	neighbours := neighbourhood{ctx: ctx, auditor: a}
	for _, id := range a.suspects {
		v, err := record.Validate(id, neighbours)
		if err != nil {
			return err
		}
		a.judge(v)
	}
	a.report.sort()
	return nil
}

// judge files a verdict.
func (a *auditor) judge(v record.Verdict) {
	r := &a.report
	switch v.State {
	case record.Intact, record.Erased:
		if !a.unsigned[v.Record] {
			r.Intact++
		}
	case record.Observer:
		r.Observers = append(r.Observers, v.Record)
	case record.Unresolved:
		r.Unresolved = append(r.Unresolved, v.Record)
	case record.CannotValidate:
		r.Unchecked = append(r.Unchecked, v.Record)
	}
	for _, f := range v.Faults {
		if f.Kind == record.FaultMissing || f.Kind == record.FaultErased || f.Kind == record.FaultForm {
			continue
		}
		fault := Fault{Record: f.Record, Fault: f.Kind, Evidence: f.Evidence}
		if !slices.Contains(r.Tampered, fault) {
			r.Tampered = append(r.Tampered, fault)
		}
	}
}

// sort makes two reports of one store equal.
func (r *Report) sort() {
	slices.SortFunc(r.Tampered, func(x, y Fault) int {
		return cmp.Or(bytes.Compare(x.Record[:], y.Record[:]), cmp.Compare(x.Fault, y.Fault))
	})
	for _, ids := range []*[]record.ID{&r.Observers, &r.Unresolved, &r.Erased, &r.Unchecked} {
		slices.SortFunc(*ids, func(x, y record.ID) int { return bytes.Compare(x[:], y[:]) })
		*ids = slices.Compact(*ids)
	}
}

// neighbourhood is a space as record.Validate reads it.
type neighbourhood struct {
	ctx context.Context
	*auditor
}

// Get implements [record.Source].
func (n neighbourhood) Get(id record.ID) (record.Record, bool, error) {
	stored, err := n.src.Get(n.ctx, []record.ID{id})
	if err != nil || len(stored) == 0 {
		return record.Record{}, false, err
	}
	s := n.believe(stored[0])
	return record.Record{ID: s.ID, Forward: s.Forward, Content: s.Content, Erased: s.Erased}, true, nil
}

// BackReferences implements [record.Source].
func (n neighbourhood) BackReferences(id record.ID, max int) ([]record.ID, error) {
	return n.src.BackReferences(n.ctx, id, max)
}
