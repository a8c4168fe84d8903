package nhe

import (
	"bytes"
	"crypto/sha256"
	"strconv"

	"consilience/projection"
	"consilience/reason"
	"consilience/wire"
)

// Frame is the context frame of memory records. Its header states the body's length
// and hash, and the closing line repeats the hash, which no body can contain of
// itself: neither a reader that counts nor one that searches can be led to another
// end.
type Frame struct{}

const (
	opening = "[NHE-Memory "
	closing = "[/NHE-Memory"
)

// Build is header, LF, body, LF, closing line, LF; the body is exact.
func (Frame) Build(l projection.Labels, body []byte) []byte {
	hash := " sha256=" + wire.Text(sha256.Sum256(body)) + "]\n"
	b := append([]byte(nil), labelled(l)...)
	b = strconv.AppendInt(b, int64(len(body)), 10)
	b = append(b, hash...)
	b = append(b, body...)
	return append(b, "\n"+closing+hash...)
}

// labelled is the header up to the length.
func labelled(l projection.Labels) string {
	author := string(l.AuthorKey)
	if author == "" {
		author = "none"
	}
	return opening + "trust=" + string(l.Trust) + " authorship=" + string(l.Authorship) +
		" author_key=" + author + " custody=" + strconv.FormatBool(l.Custody) + " bytes="
}

// Body takes the frame off, if it is the one that labels and body give.
func (f Frame) Body(l projection.Labels, fragment []byte) ([]byte, error) {
	body, ok := counted(fragment, labelled(l))
	if !ok || !bytes.Equal(f.Build(l, body), fragment) {
		return nil, reason.New(projection.FragmentLabelMismatch, "the fragment's frame is not the one that its labels give")
	}
	return body, nil
}

// counted is the body by the length in the header, without a look at how it ends.
func counted(fragment []byte, labelled string) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(fragment, []byte(labelled))
	length, rest, found := bytes.Cut(rest, []byte(" "))
	n, err := strconv.Atoi(string(length))
	_, body, ended := bytes.Cut(rest, []byte("\n"))
	if !ok || !found || !ended || err != nil || n < 0 || n > len(body) {
		return nil, false
	}
	return body[:n], true
}

// Imitates looks for the frame's literals anywhere in the body.
func (Frame) Imitates(body []byte) bool {
	return bytes.Contains(body, []byte(opening)) || bytes.Contains(body, []byte(closing))
}

// Split cuts a projection into its fragments, one for each delivered entry, by the
// lengths in their headers. It returns [projection.FragmentLabelMismatch] for bytes
// that are not exactly such frames.
func Split(delivered []projection.Entry, emitted []byte) ([][]byte, error) {
	fragments := make([][]byte, 0, len(delivered))
	for _, e := range delivered {
		body, ok := counted(emitted, labelled(e.Labels))
		fragment := Frame{}.Build(e.Labels, body)
		if !ok || !bytes.HasPrefix(emitted, fragment) {
			return nil, reason.New(projection.FragmentLabelMismatch, "the projection is not one frame for each entry")
		}
		fragments = append(fragments, fragment)
		emitted = emitted[len(fragment):]
	}
	if len(emitted) > 0 {
		return nil, reason.New(projection.FragmentLabelMismatch, "the projection goes on after its last frame")
	}
	return fragments, nil
}
