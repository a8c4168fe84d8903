package reconcile

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"consilience/command"
	"consilience/delta"
	"consilience/fleet"
	"consilience/identity"
	"consilience/merge"
	"consilience/reason"
)

// Opener turns messages of the log into entries for the merge: it reads them
// strictly, checks their signatures with the keys that were current at their
// place in the log, and holds them to the limits of their space. What it refuses
// becomes an entry all the same, with its reason, so that a bad message takes
// neither itself nor its neighbours out of the log.
type Opener struct {
	fleet *Fleet
	store [32]byte
}

// NewOpener returns an opener for the store that fleet is folded for.
func NewOpener(store [32]byte, f *Fleet) Opener { return Opener{fleet: f, store: store} }

// Open opens msgs in parallel and keeps their order. The facts among them, and
// all before them, are in the fleet already ([Fleet.Ingest]).
func (o Opener) Open(msgs []Message) []merge.Entry {
	entries := make([]merge.Entry, len(msgs))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(msgs)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(msgs); i = next.Add(1) - 1 {
				entries[i] = o.entry(msgs[i])
			}
		})
	}
	wg.Wait()
	return entries
}

// entry opens one message.
func (o Opener) entry(m Message) merge.Entry {
	e := merge.Entry{Seq: m.Seq, Time: m.Time, Hash: m.Hash, Subject: storable(m.Subject), Size: len(m.Data)}
	var err error
	if e.Body, err = o.body(m); err == nil {
		return e
	}
	e.Refused = err
	// What stands in a reason may come from the message; a text that the store
	// cannot take must not stop it.
	if text := err.Error(); storable(text) != text {
		e.Refused = reason.New(reason.Of(err), "unreadable")
	}
	return e
}

// body is what the message says.
func (o Opener) body(m Message) (merge.Body, error) {
	if isFleet(m.Subject) {
		return o.fact(m.Seq)
	}
	s, err := command.ParseSubject(m.Subject)
	if err != nil {
		return nil, err
	}
	open, ok := spaceKinds[s.Kind]
	if !ok {
		open = judgement
	}
	return open(o, s, m)
}

// maxStorable is the longest text of a message that is kept beside it, bytes.
const maxStorable = 1024

// storable makes a text fit to be kept: UTF-8 without U+0000, and not endless.
func storable(s string) string {
	if len(s) > maxStorable {
		s = s[:maxStorable]
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\x00", "\ufffd")
}

// isFleet reports whether a stored subject is that of a fleet fact.
func isFleet(subject string) bool { return strings.HasPrefix(subject, "mem.fleet.") }

// fact is what the fold made of the fleet message at seq.
func (o Opener) fact(seq uint64) (merge.Body, error) {
	effect, refusal, ok := o.fleet.Fact(seq)
	if !ok {
		return nil, reason.New(reason.CommandUnknown, "a fleet fact that was not folded")
	}
	if refusal != nil {
		return nil, refusal
	}
	return &merge.FactBody{Effect: effect}, nil
}

// spaceKinds opens the entries of a space that are no judgements.
var spaceKinds = map[string]func(Opener, command.Subject, Message) (merge.Body, error){
	command.SubjectDelta:  openDelta,
	command.SubjectSlice:  openSlice,
	command.SubjectServed: openServed,
}

// openDelta opens a contributor's delta. A delta that was refused after it was read
// comes with its refusal, so that the outcome can name it, and so that one that was
// merged before, under another key or other limits, is told from a new one.
func openDelta(o Opener, s command.Subject, m Message) (merge.Body, error) {
	limits, err := o.limits(s.Space, m)
	if err != nil {
		return recognised(s, m), err
	}
	msg, err := delta.Open(m.Data)
	if err != nil {
		return nil, err
	}
	// Whoever sends another's delta under its own subject gets its own outcome,
	// and not one that names the other's delta.
	if msg.Delta.Contributor != s.Signer {
		return nil, reason.New(reason.SubjectMismatch, "the subject names another contributor than the delta")
	}
	return &merge.DeltaBody{Message: msg}, o.checkDelta(s, m, msg, limits)
}

// recognised is what a message that is not opened says of itself, nil for none.
func recognised(s command.Subject, m Message) merge.Body {
	msg, err := delta.Peek(m.Data)
	if err != nil || msg.Delta.Contributor != s.Signer {
		return nil
	}
	return &merge.DeltaBody{Message: msg}
}

func (o Opener) checkDelta(s command.Subject, m Message, msg delta.Message, limits delta.Limits) error {
	if err := o.matches(s, msg.Delta.Store, msg.Delta.Space); err != nil {
		return err
	}
	owner, err := o.verify(m.Seq, identity.PurposeDelta, msg.Envelope)
	if err != nil {
		return err
	}
	if owner != msg.Delta.Contributor {
		return reason.New(reason.AuthorMismatch, "the delta is signed by another contributor's key")
	}
	return msg.CheckLimits(len(m.Data), limits)
}

// limits are those of the space's policy as the message sees it. The size is
// checked before a record is decoded.
func (o Opener) limits(space string, m Message) (delta.Limits, error) {
	var p command.Policy
	known := false
	o.fleet.View(m.Seq, func(v fleet.View) {
		s, ok := v.Space(space)
		p, known = s.Policy, ok
	})
	if !known {
		return delta.Limits{}, reason.New(reason.SpaceUnknown, "no such space at this place in the log")
	}
	if len(m.Data) > int(p.MessageBytes) {
		return delta.Limits{}, reason.New(reason.MessageTooLarge, "%d bytes, the space admits %d", len(m.Data), p.MessageBytes)
	}
	return delta.Limits{MessageBytes: int(p.MessageBytes), Entries: int(p.Entries), Nesting: int(p.Nesting)}, nil
}

// openSlice opens the service's statement that it issued a slice.
func openSlice(o Opener, s command.Subject, m Message) (merge.Body, error) {
	issued, envelope, err := delta.OpenSlice(m.Data)
	if err != nil {
		return nil, err
	}
	if err := o.said(m.Seq, identity.PurposeSlice, envelope, s, issued.Store, issued.Space, issued.Contributor); err != nil {
		return nil, err
	}
	return &merge.SliceBody{SliceIssued: issued}, nil
}

// openServed opens the service's statement that it emitted contents.
func openServed(o Opener, s command.Subject, m Message) (merge.Body, error) {
	served, envelope, err := command.OpenServed(m.Data)
	if err != nil {
		return nil, err
	}
	if err := o.said(m.Seq, identity.PurposeServed, envelope, s, served.Store, served.Space, served.Contributor); err != nil {
		return nil, err
	}
	return &merge.ServedBody{Served: served}, nil
}

// said checks that a service said this, under the subject of what it said.
func (o Opener) said(seq uint64, p identity.Purpose, e identity.Envelope, s command.Subject, store [32]byte, space string, to identity.ID) error {
	if err := o.matches(s, store, space); err != nil {
		return err
	}
	if to != s.Signer {
		return reason.New(reason.SubjectMismatch, "the subject names another contributor than the payload")
	}
	var key identity.PublicKey
	isService := false
	o.fleet.View(seq, func(v fleet.View) {
		key, _, _, _ = v.Key(e.KeyID)
		isService = v.Service(e.KeyID)
	})
	if !isService {
		return reason.New(reason.SignerNotService, "not signed by a service key in force")
	}
	return e.Verify(p, key)
}

// judgement opens an operator's word about a record.
func judgement(o Opener, s command.Subject, m Message) (merge.Body, error) {
	msg, err := command.Open(m.Data)
	if err != nil {
		return nil, err
	}
	if err := msg.CheckSubject(s); err != nil {
		return nil, err
	}
	if err := o.matches(s, msg.Command.Store, msg.Command.Space()); err != nil {
		return nil, err
	}
	e := msg.Envelopes[0]
	var key identity.PublicKey
	isOperator := false
	o.fleet.View(m.Seq, func(v fleet.View) {
		key, _, _, _ = v.Key(e.KeyID)
		isOperator = v.Operator(e.KeyID)
	})
	if !isOperator {
		return nil, reason.New(reason.SignerNotOperator, "not signed by an operator key in force")
	}
	if key.ID() != s.Signer {
		return nil, reason.New(reason.SubjectMismatch, "the subject names another operator than the key")
	}
	if err := e.Verify(identity.PurposeCommand, key); err != nil {
		return nil, err
	}
	return &merge.JudgementBody{Message: msg, Signer: s.Signer}, nil
}

// matches checks the fields that every payload shares with its place.
func (o Opener) matches(s command.Subject, store [32]byte, space string) error {
	if store != o.store {
		return reason.New(reason.StoreMismatch, "signed for another store")
	}
	if space != s.Space {
		return reason.New(reason.SpaceMismatch, "signed for another space than the subject's")
	}
	return nil
}

// verify checks a contributor's envelope with the key that was current at seq and
// returns who owns the key.
func (o Opener) verify(seq uint64, p identity.Purpose, e identity.Envelope) (identity.ID, error) {
	var key identity.PublicKey
	var owner identity.ID
	var current, known bool
	o.fleet.View(seq, func(v fleet.View) { key, owner, current, known = v.Key(e.KeyID) })
	switch {
	case !known:
		return owner, reason.New(reason.KeyUnknown, "the key belongs to nobody at this place in the log")
	case !current:
		return owner, reason.New(reason.KeyNotCurrent, "the key was rotated away before this place in the log")
	}
	return owner, e.Verify(p, key)
}
