package main

import (
	"context"

	"github.com/spf13/pflag"

	"consilience/projection"
	"consilience/projection/apertomemory"
	"consilience/projection/nhe"
	"consilience/reason"
)

// held are the files of what a record commits to: a proof, or its parts.
type held struct {
	proof                        string
	request, selection, snapshot string
	objects, fragments           []string
	keyring                      string
}

func (h *held) flags(f *pflag.FlagSet) {
	f.StringVar(&h.proof, "proof", "", `what "contributor recall --proof" wrote`)
	f.StringVar(&h.request, "request", "", "the recall request, instead of --proof")
	f.StringVar(&h.selection, "selection", "", "the selection policy")
	f.StringVar(&h.snapshot, "snapshot", "", "the trust snapshot")
	f.StringArrayVar(&h.objects, "object", nil, "a source object, once for each position")
	f.StringArrayVar(&h.fragments, "fragment", nil, "a fragment, once for each position")
	f.StringVar(&h.keyring, "keyring", "", "keyring that opens ApertoMemory objects")
}

// parts are what the files hold. Without any of them only the envelope is verified.
type parts struct {
	packet   []byte
	material *projection.Material
}

func (h *held) read() (p parts, err error) {
	given := h.request != "" || h.selection != "" || h.snapshot != "" || len(h.objects)+len(h.fragments) > 0
	switch {
	case h.proof != "" && (h.keyring != "" || given):
		return p, reason.New(reason.UsageError, "a proof and the parts one by one are two ways to say the same").On("--proof").Advise("leave one out")
	case h.keyring == "" && given:
		return p, reason.New(reason.UsageError, "parts are given and no keyring that opens them").On("--keyring").Advise("name it, or leave the parts out")
	case h.proof != "":
		p.packet, err = read("--proof", h.proof)
		return p, err
	case h.keyring == "":
		return p, nil
	}
	p.material = &projection.Material{}
	for _, f := range []struct {
		flag, path string
		into       *[]byte
	}{
		{"--request", h.request, &p.material.RecallRequest}, {"--selection", h.selection, &p.material.SelectionPolicy},
		{"--snapshot", h.snapshot, &p.material.TrustSnapshot},
	} {
		if *f.into, err = read(f.flag, f.path); err != nil {
			return p, err
		}
	}
	if p.material.Objects, err = readAll("--object", h.objects); err != nil {
		return p, err
	}
	if p.material.Fragments, err = readAll("--fragment", h.fragments); err != nil {
		return p, err
	}
	p.material.Source, err = openKeyring(h.keyring)
	return p, err
}

// readAll reads the files of a flag that is given many times.
func readAll(flag string, paths []string) ([][]byte, error) {
	all := [][]byte{}
	for _, path := range paths {
		content, err := read(flag, path)
		if err != nil {
			return nil, err
		}
		all = append(all, content)
	}
	return all, nil
}

func openKeyring(path string) (projection.Source, error) {
	file, err := read("--keyring", path)
	if err != nil {
		return nil, err
	}
	keyring, err := apertomemory.ParseKeyring(file)
	if err != nil {
		return nil, reason.Wrap(reason.UsageError, err, "not a keyring").On(path)
	}
	return keyring.Source(), nil
}

// verify verifies a record as far as the parts allow, and says how far. Checks are
// reported to see.
func (p parts) verify(ctx context.Context, v *projection.Verifier, see func(projection.Check), record, emitted []byte) (*stated, error) {
	v = v.Traced(see)
	if p.packet == nil && p.material == nil {
		return verifyEnvelope(ctx, v, see, record, emitted)
	}
	m := p.material
	if p.packet != nil {
		packet, err := nhe.DecodePacket(p.packet)
		if err != nil {
			return nil, err
		}
		// What cannot be read is missing: the checks before it still have their say.
		opened, missing := packet.Material(record, emitted)
		if missing != nil {
			return nil, refusedFirst(ctx, v, record, opened, missing)
		}
		m = &opened
	}
	m.Projection = emitted
	r, err := v.Full(ctx, record, *m)
	if err != nil {
		return nil, err
	}
	s := statedBy(r.Statement, r.Scope())
	return &s, nil
}

// verifyEnvelope verifies a record alone, and that the projection is the one that
// it states. The bytes are compared first: a wrong file uses nothing up.
func verifyEnvelope(ctx context.Context, v *projection.Verifier, see func(projection.Check), record, emitted []byte) (*stated, error) {
	if parsed, err := projection.Parse(record); err == nil {
		err := emits(parsed.Projection, emitted)
		see(projection.Check{Step: 6, Name: "projection is the one that the record states", Err: err})
		if err != nil {
			return nil, err
		}
	}
	r, err := v.Envelope(ctx, record)
	if err != nil {
		return nil, err
	}
	s := statedBy(r.Statement, r.Scope())
	return &s, nil
}

// emits checks that a record states the digest and the length of the projection.
func emits(stated projection.Commitment, emitted []byte) error {
	if stated.Digest != projection.DigestOf(emitted) {
		return reason.New(projection.ProjectionDigestMismatch, "the projection is not the one that the record states")
	}
	if stated.ByteLength != int64(len(emitted)) {
		return reason.New(projection.ProjectionLengthMismatch, "the record states another length than that of its projection")
	}
	return nil
}

// refusedFirst is why a record is refused whose proof cannot be read: what the checks
// before find, or what is wrong with the proof.
func refusedFirst(ctx context.Context, v *projection.Verifier, record []byte, m projection.Material, missing error) error {
	m.Source, m.Fragments = nil, nil
	_, err := v.Full(ctx, record, m)
	if code := reason.Of(err); code == projection.MaterialMissing || code == projection.NativeVerifierMissing {
		return missing
	}
	return err
}
