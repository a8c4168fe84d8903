package command_test

import (
	"bytes"
	"testing"

	"consilience/command"
	"consilience/reason"
	"consilience/wire"
)

// FuzzOpenCommand: what opens is exactly what it encodes to, and is what its own
// check admits.
func FuzzOpenCommand(f *testing.F) {
	for _, e := range examples(f) {
		f.Add(e.seal(f))
	}
	for _, v := range refusedMessages(f) {
		f.Add(v.Bytes(f))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := command.Open(raw)
		if err != nil {
			if reason.Of(err) == "" {
				t.Errorf("refused without a reason: %v", err)
			}
			return
		}
		again := wire.AppendArray(nil, len(m.Envelopes))
		for _, e := range m.Envelopes {
			again = append(again, e.Raw...)
		}
		if !bytes.Equal(again, raw) || !bytes.Equal(m.Command.Encode(), m.Payload) {
			t.Errorf("%x opens, and encodes to %x", raw, again)
		}
	})
}

// FuzzDecodeCommand is FuzzOpenCommand without envelopes in the way.
func FuzzDecodeCommand(f *testing.F) {
	for _, e := range examples(f) {
		f.Add(e.command.Encode())
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		c, err := command.Decode(payload)
		if err == nil && (!bytes.Equal(c.Encode(), payload) || c.Check() != nil) {
			t.Errorf("%x decodes, and encodes to %x", payload, c.Encode())
		}
	})
}

// FuzzRequest: what decodes is exactly what it encodes to.
func FuzzRequest(f *testing.F) {
	for _, x := range exchanges(f) {
		f.Add(x.request.Encode())
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		if r, err := command.DecodeRequest(payload); err == nil && !bytes.Equal(r.Encode(), payload) {
			t.Errorf("%x decodes, and encodes to %x", payload, r.Encode())
		}
	})
}

// FuzzReply: what decodes is exactly what it encodes to.
func FuzzReply(f *testing.F) {
	for _, x := range exchanges(f) {
		f.Add(x.reply.Encode())
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		if r, err := command.DecodeReply(payload); err == nil && !bytes.Equal(r.Encode(), payload) {
			t.Errorf("%x decodes, and encodes to %x", payload, r.Encode())
		}
	})
}

// FuzzServed: what decodes is exactly what it encodes to.
func FuzzServed(f *testing.F) {
	f.Add(served(f).Encode())
	f.Fuzz(func(t *testing.T, payload []byte) {
		if s, err := command.DecodeServed(payload); err == nil && !bytes.Equal(s.Encode(), payload) {
			t.Errorf("%x decodes, and encodes to %x", payload, s.Encode())
		}
	})
}

// FuzzOutcome: what decodes is exactly what it encodes to.
func FuzzOutcome(f *testing.F) {
	f.Add(outcome(f).Encode())
	f.Add(command.Outcome{Space: "a", Status: command.StatusDuplicate}.Encode())
	f.Fuzz(func(t *testing.T, document []byte) {
		if o, err := command.DecodeOutcome(document); err == nil && !bytes.Equal(o.Encode(), document) {
			t.Errorf("%s decodes, and encodes to %s", document, o.Encode())
		}
	})
}
