package claims

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"consilience/reason"
)

// maxLine is the longest line of a table, bytes.
const maxLine = 1 << 20

// Read reads a table. It returns [reason.Malformed] naming the line,
// [reason.UsageError] for columns that make no claim, and what r returns.
func Read(r io.Reader, o Options) ([]Claim, error) {
	if o.Separator == 0 {
		o.Separator = ','
	}
	lines := rows(newCSV(r))
	if o.Separator == '\t' {
		lines = newTSV(r)
	}
	names := o.Columns
	if names == nil {
		_, header, err := lines()
		if errors.Is(err, io.EOF) {
			return nil, reason.New(reason.Malformed, "the table is empty")
		}
		if err != nil {
			return nil, err
		}
		names = withoutMark(header)
	}
	l, err := newLayout(names, o)
	if err != nil {
		return nil, err
	}
	return readAll(lines, l)
}

func readAll(next rows, l layout) ([]Claim, error) {
	var out []Claim
	for {
		line, cells, err := next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		c, err := l.claim(line, cells)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
}

// rows returns the next row and its line, or io.EOF.
type rows func() (line int, cells []string, err error)

// newCSV reads RFC 4180.
func newCSV(r io.Reader) rows {
	c := csv.NewReader(r)
	c.FieldsPerRecord = -1
	return func() (int, []string, error) {
		cells, err := c.Read()
		var fault *csv.ParseError
		if errors.As(err, &fault) {
			return fault.Line, nil, at(fault.Line, "%s", fault.Err)
		}
		if err != nil {
			return 0, nil, err
		}
		line, _ := c.FieldPos(0)
		return line, cells, utf8Only(line, cells)
	}
}

// newTSV reads lines cut at tabs, as they are: a quote is a quote.
func newTSV(r io.Reader) rows {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	line := 0
	return func() (int, []string, error) {
		for s.Scan() {
			line++
			if s.Text() == "" {
				continue
			}
			cells := strings.Split(s.Text(), "\t")
			return line, cells, utf8Only(line, cells)
		}
		if errors.Is(s.Err(), bufio.ErrTooLong) {
			return line, nil, at(line+1, "longer than %d bytes", maxLine)
		}
		if s.Err() != nil {
			return line, nil, s.Err()
		}
		return line, nil, io.EOF
	}
}

func utf8Only(line int, cells []string) error {
	for _, c := range cells {
		if !utf8.ValidString(c) {
			return at(line, "not UTF-8")
		}
	}
	return nil
}

// withoutMark drops the byte order mark that spreadsheets put before a header.
func withoutMark(header []string) []string {
	if len(header) > 0 {
		header[0] = strings.TrimPrefix(header[0], "\ufeff")
	}
	return header
}
