package delta

import (
	"consilience/identity"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

// Message is a delta as it travels: signed, and with its records. Its byte
// slices are parts of the bytes it was opened from.
type Message struct {
	ID       ID
	Envelope identity.Envelope
	Delta    Delta
	Records  map[record.ID]record.Record
	Order    []record.ID // the records in the order in which they travel
}

// Seal signs d with key and returns the message and the delta's id. Records
// travel in the order given; one that another refers to stands before it. Seal
// checks what [Open] checks and returns the same reasons, so that a message that
// would be refused is never sent.
func Seal(d Delta, records []record.Record, key identity.PrivateKey) (raw []byte, id ID, err error) {
	if err := (&Message{Delta: d}).admit(records); err != nil {
		return nil, ID{}, err
	}
	encoded := d.encode()
	wires := make([]record.Wire, len(records))
	for i, r := range records {
		wires[i] = r.Wire()
	}
	raw = wire.AppendArray(nil, 2)
	raw = append(raw, identity.Sign(identity.PurposeDelta, encoded, key)...)
	return append(raw, wire.Marshal(wires)...), IDOf(encoded), nil
}

// Open reads a message and checks its form: encodings, record ids, canonical
// contents and their hashes, authors, ranges, that records and statements match,
// and the pairs between records of the message. It verifies no signature. A
// record whose content travelled as null is admitted and marked Erased: only the
// log knows whether an erase covers it.
//
// The reasons are those of docs/wire.cddl under "delta message".
func Open(raw []byte) (Message, error) {
	envelope, wires, err := split(raw)
	if err != nil {
		return Message{}, err
	}
	d, err := decode(envelope.Payload)
	if err != nil {
		return Message{}, err
	}
	records := make([]record.Record, len(wires))
	for i, w := range wires {
		if records[i], err = record.FromWire(w); err != nil {
			return Message{}, err
		}
	}
	m := Message{ID: IDOf(envelope.Payload), Envelope: envelope, Delta: d}
	err = m.admit(records)
	return m, err
}

// Peek reads who says what in a message, and its id, without its records: enough to
// recognise a delta, and never more. It returns the reasons of [Open] that the
// envelope and its payload show.
func Peek(raw []byte) (Message, error) {
	envelope, _, err := cutMessage(raw)
	if err != nil {
		return Message{}, err
	}
	d, err := Decode(envelope.Payload)
	return Message{ID: IDOf(envelope.Payload), Envelope: envelope, Delta: d}, err
}

// split takes a message apart into its envelope and its records.
func split(raw []byte) (identity.Envelope, []record.Wire, error) {
	envelope, rest, err := cutMessage(raw)
	if err != nil {
		return identity.Envelope{}, nil, err
	}
	wires, err := decodeRecords(rest)
	return envelope, wires, err
}

// cutMessage cuts the envelope off a message.
func cutMessage(raw []byte) (envelope identity.Envelope, rest []byte, err error) {
	n, rest, err := wire.CutArray(raw)
	if err != nil || n != 2 {
		return envelope, nil, wire.Refuse(raw)
	}
	if envelope, rest, err = identity.CutEnvelope(rest); err != nil {
		return envelope, nil, wire.Refuse(raw)
	}
	return envelope, rest, nil
}

// admit checks the delta and its records and takes the records in.
func (m *Message) admit(records []record.Record) error {
	if err := m.Delta.check(); err != nil {
		return err
	}
	m.Records = make(map[record.ID]record.Record, len(records))
	m.Order = make([]record.ID, 0, len(records))
	for _, r := range records {
		if err := m.admitRecord(r); err != nil {
			return err
		}
	}
	return m.match()
}

// admitRecord checks one record and takes it in, after those before it.
func (m *Message) admitRecord(r record.Record) error {
	if r.Contributor != m.Delta.Contributor {
		return reason.New(reason.AuthorMismatch, "a record's author is not the delta's contributor")
	}
	if _, twice := m.Records[r.ID]; twice {
		return reason.New(reason.NamedTwice, "a record travels more than once")
	}
	if !r.Erased {
		if err := r.CheckContent(); err != nil {
			return err
		}
	}
	m.Records[r.ID] = r
	m.Order = append(m.Order, r.ID)
	return nil
}
