package command

import (
	"bytes"

	"consilience/identity"
	"consilience/reason"
	"consilience/wire"
)

// maxSignatures is the largest number of envelopes in one message: a derive of
// maxKeys parents and their child.
const maxSignatures = maxKeys + 1

// Message is a command as it travels. Its byte slices are parts of the bytes it
// was opened from.
type Message struct {
	ID        ID
	Command   Command
	Payload   []byte
	Envelopes []identity.Envelope // one for each signature, all over Payload
}

// Seal signs c with each key and returns the message. What [Command.Check]
// refuses is refused by every receiver.
func Seal(c Command, keys ...identity.PrivateKey) []byte {
	encoded := c.Encode()
	raw := wire.AppendArray(nil, len(keys))
	for _, key := range keys {
		raw = append(raw, identity.Sign(identity.PurposeCommand, encoded, key)...)
	}
	return raw
}

// Open reads a message and checks its form; it verifies no signature. It returns
// [reason.Malformed] for envelopes over different payloads, for none, or for
// several where the kind takes one, [reason.NamedTwice] for two by one key, and
// else what [Decode] returns.
func Open(raw []byte) (Message, error) {
	envelopes, err := openAll(raw)
	if err != nil {
		return Message{}, err
	}
	encoded := envelopes[0].Payload
	c, err := Decode(encoded)
	if err != nil {
		return Message{}, err
	}
	m := Message{ID: IDOf(encoded), Command: c, Payload: encoded, Envelopes: envelopes}
	return m, m.checkSigners()
}

// openAll reads the envelopes of a message.
func openAll(raw []byte) ([]identity.Envelope, error) {
	n, rest, err := wire.CutArray(raw)
	if err != nil || n == 0 || n > maxSignatures {
		return nil, wire.Refuse(raw)
	}
	envelopes := make([]identity.Envelope, n)
	for i := range envelopes {
		if envelopes[i], rest, err = identity.CutEnvelope(rest); err != nil {
			return nil, wire.Refuse(raw)
		}
	}
	if len(rest) != 0 {
		return nil, wire.Refuse(raw)
	}
	return envelopes, nil
}

// checkSigners checks what the envelopes alone show about who signed.
func (m Message) checkSigners() error {
	if len(m.Envelopes) > 1 && !kinds[m.Command.Kind].several {
		return reason.New(reason.Malformed, "several signatures on a command that takes one")
	}
	signers := make(map[identity.KeyID]bool, len(m.Envelopes))
	for _, e := range m.Envelopes {
		if !bytes.Equal(e.Payload, m.Payload) {
			return reason.New(reason.Malformed, "signatures over different payloads")
		}
		if signers[e.KeyID] {
			return reason.New(reason.NamedTwice, "one key signed twice")
		}
		signers[e.KeyID] = true
	}
	switch b := m.Command.Body.(type) {
	case Genesis:
		return b.checkSigner(m.Envelopes[0].KeyID)
	case Derive:
		return b.checkSigners(signers)
	}
	return nil
}

// mustBe returns [reason.Malformed] unless the command is of kind k.
func (m Message) mustBe(k Kind) error {
	if m.Command.Kind != k {
		return reason.New(reason.Malformed, "a %s command where %s is due", m.Command.Kind, k)
	}
	return nil
}
