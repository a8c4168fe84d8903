package record

import (
	"github.com/fxamacker/cbor/v2"

	"consilience/reason"
	"consilience/wire"
)

// maxForm is the longest name of a canonical form in bytes.
const maxForm = 64

// pairsAtOnce bounds what the claimed number of pairs makes a decoder allocate.
const pairsAtOnce = 64

// forwardPart is the forward part as docs/wire.cddl gives it.
type forwardPart struct {
	Kind        uint64        `cbor:"1,keyasint"`
	ContentHash [32]byte      `cbor:"2,keyasint"`
	Pairs       [][2][32]byte `cbor:"3,keyasint"`
	Contributor [32]byte      `cbor:"4,keyasint"`
	WrittenAt   uint64        `cbor:"5,keyasint"`
	Form        string        `cbor:"6,keyasint"`
}

func (r Record) encodeForward() []byte {
	pairs := make([][2][32]byte, len(r.Pairs))
	for i, p := range r.Pairs {
		pairs[i] = [2][32]byte{p.Record, p.Hash}
	}
	return wire.Marshal(forwardPart{
		Kind: uint64(r.Kind), ContentHash: r.ContentHash, Pairs: pairs,
		Contributor: r.Contributor, WrittenAt: r.WrittenAt, Form: r.Form,
	})
}

// DecodeForward reads a forward part, strictly. The record it returns has no
// content yet and keeps forward. It returns [reason.Malformed],
// [reason.NotCanonical] or [reason.OutOfRange]. A form that this build does not
// know is none of them: [Record.CheckContent] refuses it.
func DecodeForward(forward []byte) (Record, error) {
	d := wire.NewReader(forward)
	d.Map(6)
	kind := d.Key(1).Uint()
	r := Record{
		ContentHash: d.Key(2).Bytes32(), Pairs: decodePairs(d.Key(3)), Contributor: d.Key(4).Bytes32(),
		WrittenAt: d.Key(5).Uint(), Form: d.Key(6).Text(), Forward: forward,
	}
	if err := d.Done(); err != nil {
		return Record{}, err
	}
	if kind >= uint64(len(kinds)) {
		return Record{}, reason.New(reason.OutOfRange, "no kind of content has the number %d", kind)
	}
	if r.WrittenAt > wire.MaxUint {
		return Record{}, reason.New(reason.OutOfRange, "written at %d is beyond 2^53-1", r.WrittenAt)
	}
	if !isFormName(r.Form) {
		return Record{}, reason.New(reason.Malformed, "the form's name is not 1 to %d printable ASCII characters", maxForm)
	}
	r.Kind, r.ID = Kind(kind), idOf(forward)
	return r, nil
}

func decodePairs(d *wire.Reader) []Pair {
	n := d.Array()
	pairs := make([]Pair, 0, min(n, pairsAtOnce))
	for range n {
		if d.Tuple(2); d.Failed() {
			return nil
		}
		pairs = append(pairs, Pair{d.Bytes32(), d.Bytes32()})
	}
	return pairs
}

// isFormName keeps the name of a form fit for a log line.
func isFormName(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return 0 < len(s) && len(s) <= maxForm
}

// Wire is a record as it travels: [forward, content].
type Wire struct {
	_       struct{} `cbor:",toarray"`
	Forward []byte
	Content Payload
}

// Payload is a content as it travels. Nil is null, which says that the content
// was erased; any other value, an empty one too, is a byte string.
type Payload []byte

// null is the one encoding of null.
const null = 0xF6

// MarshalCBOR implements [cbor.Marshaler].
func (p Payload) MarshalCBOR() ([]byte, error) {
	if p == nil {
		return []byte{null}, nil
	}
	return wire.Marshal([]byte(p)), nil
}

// UnmarshalCBOR implements [cbor.Unmarshaler].
func (p *Payload) UnmarshalCBOR(data []byte) error {
	if len(data) == 1 && data[0] == null {
		*p = nil
		return nil
	}
	*p = Payload{}
	return cbor.Unmarshal(data, (*[]byte)(p))
}

// Wire returns the record as it travels.
func (r Record) Wire() Wire {
	w := Wire{Forward: r.Forward, Content: r.Content}
	switch {
	case r.Erased:
		w.Content = nil
	case w.Content == nil:
		w.Content = Payload{}
	}
	return w
}

// FromWire reads a record as it travels, with the refusals of [DecodeForward].
// Its content is not looked at: [Record.CheckContent] does that.
func FromWire(w Wire) (Record, error) {
	r, err := DecodeForward(w.Forward)
	if err != nil {
		return Record{}, err
	}
	r.Content, r.Erased = w.Content, w.Content == nil
	return r, nil
}

// AppendWire appends the record's encoding to dst.
func (r Record) AppendWire(dst []byte) []byte {
	dst = wire.AppendBytes(wire.AppendArray(dst, 2), r.Forward)
	if r.Erased {
		return append(dst, null)
	}
	return wire.AppendBytes(dst, r.Content)
}

// DecodeWire reads what AppendWire wrote, strictly, with the refusals of
// [FromWire]. The record keeps data.
func DecodeWire(data []byte) (Record, error) {
	d := wire.NewReader(data)
	d.Tuple(2)
	w := Wire{Forward: d.Bytes()}
	if !d.Null() {
		w.Content = d.Bytes()
	}
	if err := d.Done(); err != nil {
		return Record{}, err
	}
	return FromWire(w)
}
