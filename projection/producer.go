package projection

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"encoding/hex"
	"io"
	"slices"
	"time"

	"consilience/identity"
	"consilience/reason"
)

// Producer is a memory adapter: it selects, frames and signs.
type Producer struct {
	adapter Adapter
	key     crypto.Signer
	public  ed25519.PublicKey
	now     func() time.Time
	ids     IDs
}

// IDs gives every projection its id, a URI that nobody uses twice.
type IDs func() (string, error)

// RandomIDs are URIs with 128 bits of random, which is crypto/rand.Reader outside
// of tests.
func RandomIDs(random io.Reader) IDs {
	return func() (string, error) {
		var b [16]byte
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return "", reason.Wrap(RecordInvalid, err, "no randomness for a projection id")
		}
		return "urn:x-consilience:projection:" + hex.EncodeToString(b[:]), nil
	}
}

// NewProducer returns a producer that signs as adapter with key, an Ed25519 key
// that may live elsewhere. now is the adapter's clock. It returns [RecordInvalid]
// for an adapter that other verifiers might refuse and [AdapterKeyInvalid] for
// another kind of key.
func NewProducer(adapter Adapter, key crypto.Signer, now func() time.Time, ids IDs) (*Producer, error) {
	if !absoluteURI(adapter.ID) || len(adapter.ID) > MaxNameProduced || !plainName(adapter.KeyID, MaxNameProduced) || len(adapter.KeyID) > MaxNameProduced {
		return nil, reason.New(RecordInvalid, "an adapter needs a URI and a key id, each of at most %d bytes", MaxNameProduced)
	}
	public, ok := key.Public().(ed25519.PublicKey)
	if !ok {
		return nil, reason.New(AdapterKeyInvalid, "an adapter signs with Ed25519")
	}
	if _, err := identity.NewPublicKey(public); err != nil {
		return nil, reason.Wrap(AdapterKeyInvalid, err, "an adapter key that anybody could sign under")
	}
	return &Producer{adapter: adapter, key: key, public: public, now: now, ids: ids}, nil
}

// Request is one recall to answer.
type Request struct {
	RecallRequest   []byte // exact bytes, under the profile that fixes their serialisation
	SelectionPolicy []byte // exact bytes; the only thing that Compile sees
	Compile         Compiler
	Source          Source
	Candidates      []Candidate
}

// Produce answers a request. On any error there is neither a projection nor a
// record. It returns [NativeVerifierMissing] without a source,
// [DeliveredDuplicate] for an object that stands twice among the candidates of a
// policy that has no answer to that, [SourceResultInvalid] for a source that
// contradicts itself, [TrustSnapshotFromFuture] when the clock ran backwards, the
// compiler's reasons, and the source's own error where it is no [Refusal].
func (p *Producer) Produce(req Request) (*Emission, error) {
	x := production{Producer: p, req: req.clone()}
	for _, step := range productionSteps {
		if err := step(&x); err != nil {
			return nil, err
		}
	}
	return &x.emission, nil
}

// clone makes the production independent of what its caller does meanwhile.
func (r Request) clone() Request {
	r.RecallRequest, r.SelectionPolicy = bytes.Clone(r.RecallRequest), bytes.Clone(r.SelectionPolicy)
	r.Candidates = slices.Clone(r.Candidates)
	for i := range r.Candidates {
		r.Candidates[i].Object = bytes.Clone(r.Candidates[i].Object)
	}
	return r
}

// production is one run of a producer.
type production struct {
	*Producer
	req       Request
	rules     Rules
	evaluated time.Time // one reading of the clock, before the first object is opened
	eligible  []Candidate
	emission  Emission
}

// The steps of section 7. Request and policy are committed to before the first
// candidate is opened, so that nothing that is found in an object can move them.
var productionSteps = []func(*production) error{
	(*production).commit, // to the recall request and the complete selection policy
	(*production).open,   // candidates under their native source profile
	(*production).filter, // by policy, and put in order
	(*production).frame,  // what there is room for
	(*production).sign,   // length, digest and nonclaims included
}

func (x *production) commit() (err error) {
	if x.req.Source == nil {
		return reason.New(NativeVerifierMissing, "no reader of the source profile was supplied")
	}
	if x.rules, err = x.req.Compile(bytes.Clone(x.req.SelectionPolicy)); err != nil {
		return err
	}
	profile := x.req.Source.Profile()
	r := &x.emission.record
	r.Version, r.Nonclaims, r.Adapter = Version, noNonclaims(), x.adapter
	r.SourceProfile = profile.Source
	r.SelectionContext = SelectionContext{
		RecallRequestDigest:   DigestOf(x.req.RecallRequest),
		SelectionPolicyDigest: DigestOf(x.req.SelectionPolicy),
		ContextFrameProfile:   profile.Frame,
	}
	r.Delivered, x.emission.emitted = []Entry{}, []byte{}
	r.ProjectionID, err = x.ids()
	return err
}

func (x *production) open() error {
	x.evaluated = x.now()
	x.emission.snapshot = bytes.Clone(x.req.Source.Snapshot())
	c := &x.emission.record.SelectionContext
	c.TrustSnapshotDigest = DigestOf(x.emission.snapshot)
	c.TrustEvaluatedAt = TimestampOf(x.evaluated)
	for _, candidate := range x.req.Candidates {
		if err := x.openOne(candidate); err != nil {
			return err
		}
	}
	if DigestOf(x.req.Source.Snapshot()) != c.TrustSnapshotDigest {
		return reason.New(TrustSnapshotInconsistent, "the source changed its trust state while it opened objects")
	}
	return nil
}

// openOne opens a candidate; one that its source refuses is counted, every other
// failure stops the production.
func (x *production) openOne(c Candidate) error {
	opened, err := x.req.Source.Open(bytes.Clone(c.Object))
	if why, ok := refusedFor(err); ok {
		x.emission.record.Exclusions.add(why)
		return nil
	}
	if err != nil {
		return err
	}
	if err := checkLabels(opened.Labels); err != nil {
		return err
	}
	if opened.Digest != DigestOf(c.Object) || opened.Body == nil || opened.FormatVersion < 1 {
		return reason.New(NativeResultMismatch, "the source did not open the object that it was given")
	}
	if checkFragment(opened.Body) != nil {
		x.emission.record.Exclusions.add(SchemaInvalid)
		return nil
	}
	opened.Body = bytes.Clone(opened.Body)
	c.Opened = opened
	x.eligible = append(x.eligible, c)
	return nil
}

func (x *production) filter() error {
	limits, frame := x.rules.Limits(), x.req.Source.Frame()
	seen := map[Digest]bool{}
	var kept []Candidate
	for _, c := range x.eligible {
		twice := seen[c.Opened.Digest]
		seen[c.Opened.Digest] = true
		if twice && !limits.DropDuplicates {
			return reason.New(DeliveredDuplicate, "an object stands twice among the candidates")
		}
		if twice || limits.DropImitations && frame.Imitates(c.Opened.Body) || !x.rules.Admit(c) {
			x.emission.record.Exclusions.add(PolicyFiltered)
			continue
		}
		kept = append(kept, c)
	}
	slices.SortStableFunc(kept, x.rules.Compare)
	x.eligible = kept
	return nil
}

// frame delivers what has room, in order. One that does not fit leaves room for a
// later, smaller one.
func (x *production) frame() error {
	limits, frame := x.rules.Limits(), x.req.Source.Frame()
	room := min(limits.MaxObjects, MaxEntries)
	for _, c := range x.eligible {
		fragment := frame.Build(c.Opened.Labels, c.Opened.Body)
		delivered := int64(len(x.emission.fragments))
		if delivered >= room || int64(len(x.emission.emitted)+len(fragment)) > limits.MaxBytes {
			x.emission.record.Exclusions.add(ContextLimit)
			continue
		}
		if err := checkFragment(fragment); err != nil {
			return err
		}
		x.deliver(c, bytes.Clone(fragment))
	}
	return nil
}

func (x *production) deliver(c Candidate, fragment []byte) {
	e, r := &x.emission, &x.emission.record
	r.Delivered = append(r.Delivered, Entry{
		Position:              int64(len(r.Delivered)),
		FormatVersion:         c.Opened.FormatVersion,
		SealedObjectDigest:    c.Opened.Digest,
		ContextFragmentDigest: DigestOf(fragment),
		Labels:                c.Opened.Labels,
	})
	e.fragments = append(e.fragments, fragment)
	e.objects = append(e.objects, c.Object)
	e.emitted = append(e.emitted, fragment...)
}

func (x *production) sign() error {
	e, r := &x.emission, &x.emission.record
	r.Projection = Commitment{Encoding: Encoding, ByteLength: int64(len(e.emitted)), Digest: DigestOf(e.emitted)}
	created := x.now()
	// Round strips the monotonic reading: the record shows wall clocks.
	if created.Round(0).Before(x.evaluated.Round(0)) {
		return reason.New(TrustSnapshotFromFuture, "the clock ran backwards between the evaluation of trust and the signature")
	}
	r.CreatedAt = TimestampOf(created)
	r.Proof = Proof{Algorithm: Algorithm, KeyID: x.adapter.KeyID}
	signed := r.SignedBytes()
	signature, err := x.key.Sign(nil, signed, crypto.Hash(0))
	if err != nil {
		return err
	}
	if len(signature) != len(r.Proof.Signature) || !ed25519.Verify(x.public, signed, signature) {
		return reason.New(SignatureInvalid, "the adapter's key did not sign what it was given")
	}
	copy(r.Proof.Signature[:], signature)
	e.encoded = r.Canonical()
	_, err = Parse(e.encoded)
	return err
}
