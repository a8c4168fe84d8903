package main

import (
	"fmt"
	"io"
	"os"

	"consilience/reason"
)

// openFile opens a file, or standard input for "-".
func (a *app) openFile(path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(a.In), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, reason.Wrap(reason.NotFound, err, "file cannot be read").On(path)
	}
	return f, nil
}

// onFile names the file that an error is about. What is wrong with a file's text
// is the caller's to mend, whatever its reason is elsewhere.
func onFile(path string, err error) error {
	if reason.Of(err) == "" {
		return err
	}
	return reason.Wrap(reason.UsageError, fmt.Errorf("%w", err), "file is not imported").On(path)
}
