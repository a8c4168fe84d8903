package apertomemory

import (
	"bytes"
	"strconv"

	"consilience/projection"
	"consilience/reason"
)

// FrameProfile names the context frame.
const FrameProfile = "urn:apertomemory:context-frame:v0"

// Frame is the context frame profile, urn:apertomemory:context-frame:v0 (section
// 5.2 of the draft). It escapes nothing: a body may imitate a frame, see Imitates.
type Frame struct{}

const (
	opening = "[ApertoMemory "
	closing = "[/ApertoMemory]"
)

// Build is header, LF, body, LF, closing line, LF; the body is exact.
func (Frame) Build(l projection.Labels, body []byte) []byte {
	b := append([]byte(nil), header(l)...)
	b = append(b, body...)
	return append(b, "\n"+closing+"\n"...)
}

// Body takes the frame off, if it is the one that the labels give.
func (Frame) Body(l projection.Labels, fragment []byte) ([]byte, error) {
	body, ok := bytes.CutPrefix(fragment, []byte(header(l)))
	if ok {
		body, ok = bytes.CutSuffix(body, []byte("\n"+closing+"\n"))
	}
	if !ok {
		return nil, reason.New(projection.FragmentLabelMismatch, "the fragment's frame is not the one that its labels give")
	}
	return body, nil
}

// Imitates looks for the frame's literals anywhere, not only after a line feed:
// CR, VT, FF, U+0085, U+2028 and U+2029 can be shown as line ends.
func (Frame) Imitates(body []byte) bool {
	return bytes.Contains(body, []byte(opening)) || bytes.Contains(body, []byte(closing))
}

func header(l projection.Labels) string {
	author := string(l.AuthorKey)
	if author == "" {
		author = "none"
	}
	return opening + "trust=" + string(l.Trust) + " authorship=" + string(l.Authorship) +
		" author_key=" + author + " custody=" + strconv.FormatBool(l.Custody) + "]\n"
}
