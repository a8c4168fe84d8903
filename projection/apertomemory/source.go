package apertomemory

import "consilience/projection"

// SourceProfile names the source profile.
const SourceProfile = "draft-ferro-apertomemory-02"

// Source is the keyring as a source of projections.
func (k *Keyring) Source() projection.Source { return source{k} }

type source struct{ keyring *Keyring }

// Profile is the pair that section 5 of the draft defines.
func (source) Profile() projection.Profile {
	return projection.Profile{Source: SourceProfile, Frame: FrameProfile}
}

// Snapshot is the keyring's trust snapshot.
func (s source) Snapshot() []byte { return s.keyring.Snapshot() }

// Frame is the context frame.
func (source) Frame() projection.Frame { return Frame{} }

// CheckSnapshot parses a snapshot and holds the entries against it.
func (source) CheckSnapshot(snapshot []byte, delivered []projection.Entry) error {
	return checkSnapshot(snapshot, delivered)
}

// Open carries the native facts over, unchanged.
func (s source) Open(object []byte) (projection.Opened, error) {
	f, err := s.keyring.Open(object)
	if err != nil {
		return projection.Opened{}, err
	}
	return projection.Opened{
		FormatVersion: f.FormatVersion,
		Digest:        projection.DigestOf(object),
		Labels:        f.labels(),
		Body:          []byte(f.Content),
	}, nil
}

func (f Facts) labels() projection.Labels {
	l := projection.Labels{Trust: f.Trust, Authorship: f.Authorship, Custody: f.Custody.Present}
	if f.Author != nil {
		l.AuthorKey = projection.KeyOf(f.Author[:])
	}
	return l
}
