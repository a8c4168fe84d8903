package audit

import (
	"context"
	"slices"

	"consilience/command"
	"consilience/identity"
	"consilience/record"
)

// Erase is an operator's word that a content goes, as it lies in the store.
type Erase struct {
	Seq      uint64 // stream sequence that the store gives it
	Envelope []byte // as the operator signed it
}

// erasesAtOnce is how many erased records are looked up in one call.
const erasesAtOnce = 1024

// readErases learns which contents an operator signed an erase of. That a row says
// "erased" proves nothing: whoever may write it could take any content away.
func (a *auditor) readErases(ctx context.Context) error {
	erases, err := a.src.Erases(ctx)
	if err != nil {
		return err
	}
	var named []record.ID
	for _, e := range erases {
		if id, ok := a.erases(e); ok {
			named = append(named, id)
		}
	}
	a.erased = map[record.Content]bool{}
	for some := range slices.Chunk(named, erasesAtOnce) {
		stored, err := a.src.Get(ctx, some)
		if err != nil {
			return err
		}
		for _, s := range stored {
			if r, err := record.DecodeForward(s.Forward); err == nil && r.ID == s.ID {
				a.erased[r.Is()] = true
			}
		}
	}
	return nil
}

// erases returns the record whose content an erase names; ok is false unless an
// operator key in force at its place signed it for this store and space.
func (a *auditor) erases(x Erase) (id record.ID, ok bool) {
	e, err := identity.OpenEnvelope(x.Envelope)
	if err != nil {
		return id, false
	}
	key, inForce := a.src.Operator(e.KeyID, x.Seq)
	if !inForce || e.Verify(identity.PurposeCommand, key) != nil {
		return id, false
	}
	c, err := command.Decode(e.Payload)
	if err != nil || c.Kind != command.KindErase {
		return id, false
	}
	store, space := a.src.Place()
	j, isJudgement := c.Body.(command.Judgement)
	return j.Record, isJudgement && c.Store == store && c.Space() == space
}

// believe takes a row's word that its content was erased only where an erase of
// that content was signed; else the content is lost, and that is a fault.
func (a *auditor) believe(s Stored) Stored {
	if s.Erased {
		r, err := record.DecodeForward(s.Forward)
		s.Erased = err == nil && a.erased[r.Is()]
	}
	return s
}
