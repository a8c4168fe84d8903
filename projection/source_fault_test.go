package projection_test

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"consilience/projection"
	"consilience/reason"
)

// P-86, P-94: a source that answers about something else than it was asked is not
// believed, and nothing is emitted.
func TestSourceThatOpensSomethingElse(t *testing.T) {
	for what, change := range map[string]func(o *projection.Opened){
		"other digest": func(o *projection.Opened) { o.Digest[0] ^= 1 },
		"no body":      func(o *projection.Opened) { o.Body = nil },
		"version zero": func(o *projection.Opened) { o.FormatVersion = 0 },
	} {
		w := newWorkshop()
		w.add("o1", "fine", projection.Self)
		d := w.add("o2", "body", projection.Self)
		o := w.source.opened[d]
		change(&o)
		w.source.opened[d] = o
		if e, err := w.produce(t); reason.Of(err) != projection.NativeResultMismatch || e != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// P-5, P-75: a source that writes into what it is given, or keeps what it handed out
// and writes into that, changes nothing for anybody else.
func TestSourceThatWrites(t *testing.T) {
	w := newWorkshop()
	w.add("o", "body", projection.Self)
	w.add("p", "other", projection.Self)
	s := &writing{stated: w.source, lent: []byte("snapshot")}
	s.stated.frame = &reusing{Frame: w.source.frame}
	w.request.Source = s
	object, candidates := w.request.Candidates[0].Object, w.request.Candidates
	e := w.must(t)
	if string(object) != "o" || candidates[0].Opened.Body != nil || &candidates[0].Object[0] != &object[0] {
		t.Error("the caller's candidates were changed")
	}
	clear(s.lent)
	w.request.Source = w.source
	if err := w.verify(e); err != nil {
		t.Error(err)
	}

	b := genuine(t)
	b.material.Source = &writing{stated: b.source}
	if err := b.verify(t); err != nil {
		t.Fatal(err)
	}
	b.material.Source = b.source
	if err := b.verify(t); err != nil {
		t.Errorf("the verified material was changed: %v", err)
	}
}

type writing struct {
	stated
	handed [][]byte
	lent   []byte // the snapshot
}

// reusing builds every fragment in one piece of memory.
type reusing struct {
	projection.Frame
	memory []byte
}

func (r *reusing) Build(l projection.Labels, body []byte) []byte {
	r.memory = append(r.memory[:0], r.Frame.Build(l, body)...)
	return r.memory
}

func (w *writing) Open(object []byte) (projection.Opened, error) {
	o, err := w.stated.Open(object)
	clear(object)
	o.Body = append([]byte(nil), o.Body...)
	if len(o.Body) == 0 {
		o.Body = nil
	}
	w.handed = append(w.handed, o.Body)
	return o, err
}

func (w *writing) Snapshot() []byte {
	for _, body := range w.handed {
		clear(body)
	}
	return w.lent
}

// P-73, P-77: a policy that does not compile, an id that is no URI and a frame that
// breaks UTF-8 leave neither bytes nor record.
func TestProductionsThatFail(t *testing.T) {
	for what, c := range map[string]struct {
		spoil func(w *workshop)
		want  reason.Code
	}{
		"policy":  {func(w *workshop) { w.request.SelectionPolicy = []byte("{}") }, reason.PolicyInvalid},
		"frame":   {func(w *workshop) { w.source.frame = torn{w.source.frame}; w.request.Source = w.source }, projection.FragmentEncodingInvalid},
		"profile": {func(w *workshop) { w.source.profile.Source = "two\nlines"; w.request.Source = w.source }, projection.RecordInvalid},
	} {
		w := newWorkshop()
		w.add("o", "body", projection.Self)
		c.spoil(w)
		if e, err := w.produce(t); reason.Of(err) != c.want || e != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for id, fault := range map[string]error{"no URI": nil, "urn:x:1": errBroken} {
		w := newWorkshop()
		p, err := projection.NewProducer(projection.Adapter{ID: "urn:x:a", KeyID: "k"}, w.key, w.now, func() (string, error) { return id, fault })
		if err != nil {
			t.Fatal(err)
		}
		e, err := p.Produce(w.request)
		if e != nil || fault == nil && reason.Of(err) != projection.RecordInvalid || !errors.Is(err, fault) && fault != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
}

type torn struct{ projection.Frame }

func (f torn) Build(l projection.Labels, body []byte) []byte {
	return append(f.Frame.Build(l, body), 0xc3)
}

// AP-3, P-40: nobody produces more entries than a verifier reads; the rest is counted.
func TestMoreThanAVerifierReads(t *testing.T) {
	w := newWorkshop()
	const one = projection.MaxEntries + 1
	w.request.SelectionPolicy = projection.SelectionPolicy{MaxBytes: 1 << 40, MaxObjects: 1 << 40, Trust: []projection.Trust{projection.Self}}.Bytes()
	for i := range one {
		w.add(strconv.Itoa(i), "", projection.Self)
	}
	s := w.must(t).Statement()
	if len(s.Delivered) != projection.MaxEntries || s.Exclusions.ByReason[projection.ContextLimit] != 1 {
		t.Errorf("%d delivered, %+v", len(s.Delivered), s.Exclusions)
	}
}

// P-5: a caller that changes the projection while it is registered does not change
// what was verified.
func TestBytesAreTheVerifiedOnes(t *testing.T) {
	b := genuine(t)
	b.policy.SingleUse, b.registry = true, registering(func() { clear(b.material.Projection) })
	r, err := b.verifier(t).Full(context.Background(), b.record, b.material)
	if err != nil || projection.DigestOf(r.Bytes()) != r.Projection.Digest {
		t.Errorf("other bytes than those that were verified: %v", err)
	}
}

type registering func()

func (r registering) Register(context.Context, projection.Use) error { r(); return nil }

// P-84, AP-15: what a register is told does not depend on one relying party's limits
// alone, for the next one may have others.
func TestUseTellsWhenTheRecordWasMade(t *testing.T) {
	b := genuine(t)
	kept := &keeping{}
	b.policy.SingleUse, b.registry = true, kept
	if err := b.verify(t); err != nil {
		t.Fatal(err)
	}
	created := time.Date(2026, 7, 29, 17, 0, 1, 0, time.UTC)
	if !kept.use.Created.Equal(created) || kept.use.Until.Before(created) || kept.use.ProjectionID == "" {
		t.Errorf("%+v", kept.use)
	}
}
