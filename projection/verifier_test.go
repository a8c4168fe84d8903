package projection_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"consilience/projection"
	"consilience/projection/registry"
	"consilience/reason"
)

// P-89: a changed nonclaim is refused also under the genuine key.
func TestNonclaims(t *testing.T) {
	for _, name := range []string{"model_use", "action_linkage", "action_authorization", "execution_outcome"} {
		for _, claim := range []string{`"ESTABLISHED"`, `"not_established"`, `""`, `"NOT_ESTABLISHED "`} {
			b := genuine(t)
			b.edit(t, "nonclaims."+name, claim)
			wantCode(t, b.verify(t), projection.NonclaimInvalid)
		}
	}
}

// P-84, AP-15: of two uses at the same time exactly one wins; a record that fails
// elsewhere uses nothing up; the envelope uses up too.
func TestSingleUse(t *testing.T) {
	b := genuine(t)
	b.policy.SingleUse, b.registry = true, &registry.Memory{}
	v := b.verifier(t)
	broken := b.material
	broken.Projection = []byte("x")
	if _, err := v.Full(context.Background(), b.record, broken); reason.Of(err) != projection.ConcatenationMismatch {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wg.Go(func() { _, errs[i] = v.Full(context.Background(), b.record, b.material) })
	}
	wg.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else {
			wantCode(t, err, projection.ProjectionReplay)
		}
	}
	if won != 1 {
		t.Errorf("%d of 8 uses won", won)
	}
	wantCode(t, b.envelope(t), projection.ProjectionReplay)
}

// A register that cannot be reached is not a use, and the record is not accepted.
func TestRegistryFailure(t *testing.T) {
	b := genuine(t)
	b.policy.SingleUse, b.registry = true, failing{}
	if err := b.verify(t); !errors.Is(err, errBroken) || reason.ClassOf(err) != reason.Unavailable {
		t.Error(err)
	}
}

type failing struct{}

func (failing) Register(context.Context, projection.Use) error { return errBroken }

// The register may forget a use only when no limit lets the record pass any more.
func TestUseIsKeptUntilStale(t *testing.T) {
	b := genuine(t)
	b.policy.Freshness.MaxTrustAge = time.Hour
	kept := &keeping{}
	b.policy.SingleUse, b.registry = true, kept
	if err := b.verify(t); err != nil {
		t.Fatal(err)
	}
	b.now = kept.use.Until.Add(1)
	b.registry = &registry.Memory{}
	if err := b.verify(t); err == nil {
		t.Error("the record still passes after its use may be forgotten")
	}
}

type keeping struct{ use projection.Use }

func (k *keeping) Register(_ context.Context, u projection.Use) error { k.use = u; return nil }

// Traced shows every check, the refusing one last.
func TestTrace(t *testing.T) {
	b := genuine(t)
	var seen []projection.Check
	see := func(c projection.Check) { seen = append(seen, c) }
	if _, err := b.verifier(t).Traced(see).Full(context.Background(), b.record, b.material); err != nil {
		t.Fatal(err)
	}
	steps := map[int]bool{}
	for _, c := range seen {
		steps[c.Step] = true
	}
	if len(seen) != 21 || len(steps) != 7 {
		t.Errorf("%d checks of %d steps", len(seen), len(steps))
	}
	seen = nil
	b.policy.Pins = nil
	_, err := b.verifier(t).Traced(see).Envelope(context.Background(), b.record)
	if last := seen[len(seen)-1]; err == nil || !errors.Is(err, last.Err) || last.Step != 2 {
		t.Errorf("last check %+v", last)
	}
}

// P-5: nobody can change a result through what it hands out.
func TestResultsAreCopies(t *testing.T) {
	b := genuine(t)
	r, err := b.verifier(t).Full(context.Background(), b.record, b.material)
	if err != nil {
		t.Fatal(err)
	}
	r.Bytes()[0] = 'X'
	b.material.Projection[0] = 'Y'
	if r.Bytes()[0] != '[' {
		t.Error("the verified bytes changed")
	}
}
