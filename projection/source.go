package projection

import (
	"unicode/utf8"

	"consilience/reason"
)

// Profile names a source profile together with the frame it is used with.
type Profile struct {
	Source string // source_profile
	Frame  string // selection_context.context_frame_profile
}

// Source is a source profile at one instant: it opens objects and derives trust
// under one frozen trust state. It is the only place where trust is derived; this
// package carries what it says.
//
// A Source MUST be immutable: Snapshot and every Open answer under the same trust
// state, whatever happens to the keyring it was made from (P-49).
type Source interface {
	// Profile names the source profile and its frame.
	Profile() Profile
	// Snapshot is the trust snapshot in the profile's encoding (section 4.2).
	Snapshot() []byte
	// Open verifies one complete object. An object that is itself at fault gives a
	// [Refusal]; any other error means that the source could not do its work.
	Open(object []byte) (Opened, error)
	// CheckSnapshot parses snapshot strictly ([TrustSnapshotInvalid]) and checks that
	// the trust of every entry can follow from it ([TrustSnapshotInconsistent]).
	CheckSnapshot(snapshot []byte, delivered []Entry) error
	// Frame is the context frame profile.
	Frame() Frame
}

// Opened is what a [Source] says about an object.
type Opened struct {
	FormatVersion int64  // from 1
	Digest        Digest // SHA-256 of the complete object bytes
	Labels
	// Body is the exact UTF-8 content. nil says that the reader knows the labels but
	// has no body to show; a verifier then compares no bodies, a producer refuses.
	Body []byte
}

// Frame is a context frame profile: a deterministic function from a body and its
// labels to a fragment (section 4.2).
type Frame interface {
	// Build is the fragment of body under labels.
	Build(labels Labels, body []byte) []byte
	// Body takes a fragment apart. It returns [FragmentLabelMismatch] unless the frame
	// around the body is exactly the one that labels give.
	Body(labels Labels, fragment []byte) ([]byte, error)
	// Imitates reports whether body contains, anywhere, a literal that opens or closes
	// a frame and could mislead a reader that looks at text and not at digests.
	Imitates(body []byte) bool
}

// legal reports whether the labels may stand together (section 4.3): unverified
// content has no author, attested authorship needs a custody record. The profile
// of an ApertoMemory source allows fewer combinations; these hold for all.
func (l Labels) legal() bool {
	if l.Trust == Unverified {
		return l.Authorship == Unknown && l.AuthorKey == ""
	}
	return l.Authorship != Attested || l.Custody
}

// known reports whether every label has a value of this version.
func (l Labels) known() bool {
	trust := l.Trust == Self || l.Trust == Trusted || l.Trust == Unverified
	authorship := l.Authorship == Signed || l.Authorship == Attested || l.Authorship == Unknown
	return trust && authorship && (l.AuthorKey == "" || l.AuthorKey.Bytes() != nil)
}

// checkLabels refuses labels that no source may report.
func checkLabels(l Labels) error {
	if !l.known() || !l.legal() {
		return reason.New(SourceResultInvalid, "trust, authorship, author key and custody contradict each other")
	}
	return nil
}

// checkFragment refuses a fragment that is not UTF-8 by itself: a code point cut
// by the boundary and completed by the next fragment would change hands (AP-7).
func checkFragment(fragment []byte) error {
	if !utf8.Valid(fragment) {
		return reason.New(FragmentEncodingInvalid, "a fragment that is not UTF-8 by itself")
	}
	return nil
}
