package main

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"consilience/agent"
	"consilience/reason"
	"consilience/record"
)

// content is the content of a record as the command line gives it.
type content struct {
	jsonFile   string
	file       string
	binary     bool
	refs       []string
	confidence string
	space      string
}

func (f *content) flags(c *cobra.Command) {
	c.Flags().StringVar(&f.jsonFile, "json-content", "", "structured content: a file of JSON, - for stdin")
	c.Flags().StringVar(&f.file, "file", "", "content of a file, - for stdin: text if it is UTF-8, else binary")
	c.Flags().BoolVar(&f.binary, "binary", false, "take --file as binary")
	c.Flags().StringArrayVar(&f.refs, "ref", nil, "a record that this one refers to, repeatable")
	c.Flags().StringVar(&f.confidence, "confidence", agent.FormatPPM(agent.DefaultConfidence), "how sure you are, above 0, at most 1")
	spaceFlag(c, &f.space, "the one space it is for (default every space pushed to)")
}

// draft reads the content. texts are the arguments that may hold it.
func (a *app) draft(c *cobra.Command, h *agent.Home, f *content, texts []string) (agent.Draft, error) {
	d := agent.Draft{Space: f.space}
	err := maySpace(f.space)
	if err != nil {
		return d, err
	}
	if d.Base, err = ppmFlag("--confidence", f.confidence); err != nil {
		return d, err
	}
	for _, ref := range f.refs {
		id, err := h.Record(c.Context(), ref)
		if err != nil {
			return d, err
		}
		d.Refs = append(d.Refs, id)
	}
	d.Kind, d.Content, err = a.read(f, texts)
	return d, err
}

// read takes the content from the one place that names it.
func (a *app) read(f *content, texts []string) (record.Kind, []byte, error) {
	given := len(texts)
	for _, flag := range []string{f.jsonFile, f.file} {
		if flag != "" {
			given++
		}
	}
	if given != 1 {
		what := map[bool]string{true: "no content is given", false: "more than one content is given"}[given == 0]
		return 0, nil, reason.New(reason.UsageError, "%s, and a record has one", what).
			Advise("give a text, or --json-content FILE, or --file FILE")
	}
	switch {
	case f.binary && f.file == "":
		return 0, nil, reason.New(reason.UsageError, "only the content of a file is binary").On("--binary").Advise("name it with --file")
	case f.jsonFile != "":
		b, err := a.readFile(f.jsonFile)
		return record.Structured, b, err
	case f.file != "":
		b, err := a.readFile(f.file)
		if f.binary || !utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0 {
			return record.Binary, b, err
		}
		return record.Text, b, cmp.Or(err, said(f.file, b))
	}
	return record.Text, []byte(texts[0]), said("the text", []byte(texts[0]))
}

// said refuses a text that says nothing: a variable that was not set, an empty pipe.
// A record may hold it, and nobody means to.
func said(where string, text []byte) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return reason.New(reason.UsageError, "is empty, and a record says something").On(where)
	}
	return nil
}

// named names the file of a content that no record can hold. What is wrong with a file
// is the caller's to mend, whatever its reason is elsewhere.
func (f *content) named(err error) error {
	if path := cmp.Or(f.jsonFile, f.file); path != "" && reason.Of(err) == reason.ContentInvalid {
		return reason.Wrap(reason.UsageError, err, "no content of a record").On(path)
	}
	return err
}

// readFile reads a file, or standard input for "-".
func (a *app) readFile(path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(a.In)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, reason.Wrap(reason.NotFound, err, "file cannot be read").On(path)
	}
	return b, nil
}
