package projection

import (
	"bytes"
	"context"

	"consilience/reason"
)

// complete refuses before anything is recomputed: a full result never rests on a
// part of the material (AP-23).
func (x *examination) complete(context.Context) error {
	m, n := x.material, len(x.record.Delivered)
	for _, part := range []struct {
		name    string
		missing bool
	}{
		{"recall request", m.RecallRequest == nil},
		{"selection policy", m.SelectionPolicy == nil},
		{"trust snapshot", m.TrustSnapshot == nil},
		{"projection", m.Projection == nil},
		{"source objects", len(m.Objects) < n},
		{"fragments", len(m.Fragments) < n},
	} {
		if part.missing {
			return reason.New(MaterialMissing, "bytes are needed and were not supplied").On(part.name)
		}
	}
	if m.Source == nil {
		return reason.New(NativeVerifierMissing, "no reader of the source profile was supplied")
	}
	switch own, want := m.Source.Profile(), x.record.profile(); {
	case own.Source != want.Source:
		return reason.New(SourceProfileMismatch, "the reader supplied is of another source profile than the record")
	case own.Frame != want.Frame:
		return reason.New(FrameProfileMismatch, "the reader supplied is of another frame profile than the record")
	}
	return nil
}

func (x *examination) commitments(context.Context) error {
	m, c := x.material, x.record.SelectionContext
	for _, part := range []struct {
		bytes []byte
		want  Digest
		code  reason.Code
	}{
		{m.RecallRequest, c.RecallRequestDigest, RecallRequestDigestMismatch},
		{m.SelectionPolicy, c.SelectionPolicyDigest, SelectionPolicyMismatch},
		{m.TrustSnapshot, c.TrustSnapshotDigest, TrustSnapshotDigestMismatch},
	} {
		if DigestOf(part.bytes) != part.want {
			return reason.New(part.code, "the bytes are not the committed ones")
		}
	}
	return nil
}

func (x *examination) objects(context.Context) error {
	if len(x.material.Objects) > len(x.record.Delivered) {
		return reason.New(SourceObjectDigestMismatch, "more objects than entries")
	}
	for i, e := range x.record.Delivered {
		if DigestOf(x.material.Objects[i]) != e.SealedObjectDigest {
			return reason.New(SourceObjectDigestMismatch, "object %d is not the committed one", i)
		}
	}
	return nil
}

// native asks the source for its own results and compares; it derives nothing. A
// source that could not do its work is no answer: its error stays what it is.
func (x *examination) native(context.Context) error {
	for i, e := range x.record.Delivered {
		o, err := x.material.Source.Open(bytes.Clone(x.material.Objects[i]))
		if _, refused := refusedFor(err); refused {
			return reason.Wrap(NativeResultMismatch, err, "the source profile refuses object %d", i)
		}
		if err != nil {
			return err
		}
		if o.Labels != e.Labels || o.FormatVersion != e.FormatVersion || o.Digest != e.SealedObjectDigest {
			return reason.New(NativeResultMismatch, "entry %d does not carry the source profile's own result", i)
		}
		x.opened = append(x.opened, o)
	}
	return nil
}

func (x *examination) snapshot(context.Context) error {
	return x.material.Source.CheckSnapshot(x.material.TrustSnapshot, x.record.Delivered)
}

func (x *examination) fragments(context.Context) error {
	for i, e := range x.record.Delivered {
		if DigestOf(x.material.Fragments[i]) != e.ContextFragmentDigest {
			return reason.New(FragmentDigestMismatch, "fragment %d is not the committed one", i)
		}
		if err := checkFragment(x.material.Fragments[i]); err != nil {
			return err
		}
	}
	return nil
}

func (x *examination) projection(context.Context) error {
	m, c := x.material, x.record.Projection
	if !bytes.Equal(bytes.Join(m.Fragments, nil), m.Projection) || len(m.Fragments) > len(x.record.Delivered) {
		return reason.New(ConcatenationMismatch, "the projection is not its fragments in order")
	}
	if int64(len(m.Projection)) != c.ByteLength {
		return reason.New(ProjectionLengthMismatch, "the projection has another length")
	}
	if DigestOf(m.Projection) != c.Digest {
		return reason.New(ProjectionDigestMismatch, "the projection is not the committed one")
	}
	return nil
}

// frames compares what a model would read with what was signed about it: nothing
// in the digests stops an adapter from framing an unverified body as trusted.
func (x *examination) frames(context.Context) error {
	frame := x.material.Source.Frame()
	for i, e := range x.record.Delivered {
		fragment := x.material.Fragments[i]
		body, err := frame.Body(e.Labels, fragment)
		if err != nil {
			return err
		}
		if x.policy.RefuseImitations && frame.Imitates(body) {
			return reason.New(FragmentLabelMismatch, "the body of fragment %d imitates a frame", i)
		}
		if own := x.opened[i].Body; own != nil && !x.policy.AcceptOtherBodies && !bytes.Equal(frame.Build(e.Labels, own), fragment) {
			return reason.New(FragmentBodyMismatch, "fragment %d does not frame the opened object's body", i)
		}
	}
	return nil
}
