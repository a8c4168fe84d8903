// Package reason names every way in which Consilience says no.
//
// A refusal is an [Error]: a stable [Code], the input it is about, what is wrong
// with it and what to do. The code is what travels: it is the outcome's "reason"
// (docs/wire.cddl), the label of a metric and, through [Class], the exit status
// of a command. Codes are never renamed; the table in codes.go is the only place
// that maps them.
package reason

import (
	"errors"
	"fmt"
	"strings"
)

// Code is a stable, lower-case reason such as "not_canonical". It never holds
// content, keys or ids, so that it may stand in a log, a metric or an outcome.
type Code string

// Class says what kind of "no" a code is. The exit status of a command is its
// numeric value.
type Class int

const (
	// No is the answer "no": refused, rejected, tampered.
	No Class = 1
	// Usage is an input that the caller has to mend.
	Usage Class = 2
	// Unavailable is a thing that could not be run: unreachable, timed out, stopped.
	Unavailable Class = 3
)

// Error is a refusal with a stable reason. It is returned, not logged, by the
// package that finds it.
type Error struct {
	// Code is the stable reason.
	Code Code
	// Input names what was refused ("record 3", "--since", a file name), never its content.
	Input string
	// Detail says what is wrong, in one clause.
	Detail string
	// Do says what the reader can do about it; empty where nothing can be done.
	Do string
	// Err is the cause, if there is one.
	Err error
}

// New returns an [Error] whose detail is formatted from format and args.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// Wrap returns an [Error] with code around err.
func Wrap(code Code, err error, format string, args ...any) *Error {
	return &Error{Code: code, Detail: fmt.Sprintf(format, args...), Err: err}
}

// On returns a copy of e that names the input it is about.
func (e *Error) On(input string) *Error {
	c := *e
	c.Input = input
	return &c
}

// Advise returns a copy of e that says what to do.
func (e *Error) Advise(format string, args ...any) *Error {
	c := *e
	c.Do = fmt.Sprintf(format, args...)
	return &c
}

// Error is one line: input, detail, code, cause and advice. Of a chain it names one
// code, the outermost, which is the one that counts.
func (e *Error) Error() string { return e.text(" (" + string(e.Code) + ")") }

func (e *Error) text(code string) string {
	s := e.Detail
	if e.Input != "" {
		s = e.Input + ": " + s
	}
	s += code
	if e.Err != nil {
		s += ": " + uncoded(e.Err)
	}
	if e.Do != "" {
		s += "; " + e.Do
	}
	return s
}

// uncoded is the text of a cause without its code.
func uncoded(err error) string {
	var inner *Error
	if !errors.As(err, &inner) {
		return err.Error()
	}
	return strings.Replace(err.Error(), inner.Error(), inner.text(""), 1)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is an [Error] of the same code, so that
// errors.Is(err, reason.New(reason.NotCanonical, "")) works.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// Of returns the code of the outermost [Error] in err's chain, "" if there is none.
func Of(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// ClassOf returns the class of err's code; an error without a code could not be
// run, which is [Unavailable].
func ClassOf(err error) Class {
	code := Of(err)
	if code == "" {
		return Unavailable
	}
	if c, ok := classes[code]; ok {
		return c
	}
	return No
}
