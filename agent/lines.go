package agent

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"consilience/agent/local"
	"consilience/reason"
	"consilience/record"
	"consilience/record/ijson"
)

// Line is a record as one line of a JSON Lines file.
type Line struct {
	// ID is the record's id where it was written. Lines after it refer to it by
	// this id; the record that is made of the line has another.
	ID         string          `json:"id,omitempty"`
	Kind       string          `json:"kind"`    // text, structured, binary
	Content    json.RawMessage `json:"content"` // a string; any JSON; base64url without padding
	Refs       []string        `json:"refs"`
	Confidence json.Number     `json:"confidence"` // above 0, at most 1
}

// maxLine is the longest line, bytes: a message holds no longer content, and
// escapes make at most six bytes of one.
const maxLine = 8 << 20

// Export writes the records that the local state holds beyond its slices, oldest
// first, one line each, and returns their number. [Home.ImportLines] reads it.
func (h *Home) Export(ctx context.Context, w io.Writer) (int, error) {
	n := 0
	err := h.update(ctx, func(tx *local.Tx) error {
		held, err := tx.Held()
		if err != nil {
			return err
		}
		out := json.NewEncoder(w)
		out.SetEscapeHTML(false)
		for _, c := range held {
			r, ok, err := tx.Get(c.Record)
			if err != nil {
				return err
			}
			if !ok {
				return reason.New(reason.RecordMissing, "a record that is held is not there").On(c.Record.String()).Advise("run contributor verify")
			}
			if err := out.Encode(lineOf(r, c.Value)); err != nil {
				return err
			}
			n++
		}
		return nil
	})
	return n, err
}

func lineOf(r record.Record, base uint32) Line {
	l := Line{ID: r.ID.String(), Kind: r.Kind.String(), Refs: []string{}, Confidence: json.Number(FormatPPM(base))}
	for _, p := range r.Pairs {
		l.Refs = append(l.Refs, p.Record.String())
	}
	switch r.Kind {
	case record.Structured:
		l.Content = r.Content
	case record.Binary:
		l.Content = quote(base64.RawURLEncoding.EncodeToString(r.Content))
	default:
		l.Content = quote(string(r.Content))
	}
	return l
}

// quote is a JSON string. Canonical text is valid UTF-8, so nothing is replaced.
func quote(s string) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return bytes.TrimRight(b.Bytes(), "\n")
}

// Imported counts what an import did.
type Imported struct {
	Read    int `json:"read"`    // records in the file
	Written int `json:"written"` // new in the local memory
	Already int `json:"already"` // there before
}

// ImportLines reads lines as [Home.Export] writes them and remembers them for
// space, all of them or none. An error names the line.
func (h *Home) ImportLines(ctx context.Context, r io.Reader, space string) (Imported, error) {
	var n Imported
	known := map[record.ID]record.ID{}
	err := h.update(ctx, func(tx *local.Tx) error {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, maxLine)
		number := 0
		for lines.Scan() {
			number++
			if len(bytes.TrimSpace(lines.Bytes())) == 0 {
				continue
			}
			w, err := h.importLine(tx, lines.Bytes(), space, known)
			if err != nil {
				return onLine(number, err)
			}
			n.Read++
			if w.Already {
				n.Already++
			} else {
				n.Written++
			}
		}
		if errors.Is(lines.Err(), bufio.ErrTooLong) {
			return reason.New(reason.MessageTooLarge, "line %d is longer than %d bytes", number+1, maxLine)
		}
		return lines.Err()
	})
	if err != nil {
		return Imported{}, err
	}
	return n, nil
}

func (h *Home) importLine(tx *local.Tx, text []byte, space string, known map[record.ID]record.ID) (Written, error) {
	l, err := parseLine(text)
	if err != nil {
		return Written{}, err
	}
	d, err := l.draft(known)
	if err != nil {
		return Written{}, err
	}
	d.Space = space
	w, err := h.remember(tx, d, tx.Stating)
	if err != nil || l.ID == "" {
		return w, err
	}
	id, err := record.ParseID(l.ID)
	known[id] = w.Record.ID
	return w, err
}

// parseLine reads a line strictly: I-JSON, and no member that a line has not.
func parseLine(text []byte) (Line, error) {
	var l Line
	if err := ijson.Check(text, ijson.Options{}); err != nil {
		return l, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return l, reason.New(reason.Malformed, "not a record: %s", err).
			Advise(`a line is {"kind","content","refs","confidence"}`)
	}
	return l, nil
}

var lineKinds = map[string]record.Kind{"text": record.Text, "structured": record.Structured, "binary": record.Binary}

// draft is the record that a line describes. A reference to an earlier line
// becomes one to the record that was made of it.
func (l Line) draft(known map[record.ID]record.ID) (Draft, error) {
	kind, ok := lineKinds[l.Kind]
	if !ok {
		return Draft{}, reason.New(reason.Malformed, "kind is none of text, structured, binary").On(fmt.Sprintf("kind %.40q", l.Kind))
	}
	d := Draft{Kind: kind}
	if l.Confidence != "" {
		base, err := ParsePPM(l.Confidence.String())
		if err != nil {
			return d, err
		}
		d.Base = base
	}
	for _, ref := range l.Refs {
		id, err := record.ParseID(ref)
		if err != nil {
			return d, err
		}
		if here, ok := known[id]; ok {
			id = here
		}
		d.Refs = append(d.Refs, id)
	}
	content, err := l.content(kind)
	d.Content = content
	return d, err
}

func (l Line) content(kind record.Kind) ([]byte, error) {
	if len(l.Content) == 0 {
		return nil, reason.New(reason.Malformed, "a record has a content")
	}
	if kind == record.Structured {
		return l.Content, nil
	}
	var s string
	if err := json.Unmarshal(l.Content, &s); err != nil || l.Content[0] != '"' {
		return nil, reason.New(reason.Malformed, "content of kind %s is a string", kind)
	}
	if kind == record.Text {
		return []byte(s), nil
	}
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || base64.RawURLEncoding.EncodeToString(b) != s {
		return nil, reason.New(reason.Malformed, "binary content is base64url without padding")
	}
	return b, nil
}

// onLine names the line that an error is about and keeps its reason.
func onLine(number int, err error) error {
	code := reason.Of(err)
	if code == "" {
		return err
	}
	return reason.Wrap(code, err, "nothing was imported").On(fmt.Sprintf("line %d", number))
}
