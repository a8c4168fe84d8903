package delta

import (
	"consilience/reason"
	"consilience/record"
)

// Limits bound a message. They are in the space's policy, on the log, so that
// every replay refuses the same messages.
type Limits struct {
	MessageBytes int // length of the message, bytes
	Entries      int // statements of the delta
	Nesting      int // levels of arrays and objects of structured content
}

// DefaultLimits are the limits of a space whose policy names none.
var DefaultLimits = Limits{MessageBytes: 1 << 20, Entries: 4096, Nesting: 8}

// CheckLimits checks an opened message of size bytes against l. It returns
// [reason.MessageTooLarge], [reason.TooManyEntries] or [reason.NestingTooDeep].
func (m Message) CheckLimits(size int, l Limits) error {
	if size > l.MessageBytes {
		return reason.New(reason.MessageTooLarge, "%d bytes, the space admits %d", size, l.MessageBytes)
	}
	if n := m.Delta.entries(); n > l.Entries {
		return reason.New(reason.TooManyEntries, "%d entries, the space admits %d", n, l.Entries)
	}
	for _, r := range m.Records {
		if record.Nesting(r.Kind, r.Content) > l.Nesting {
			return reason.New(reason.NestingTooDeep, "structured content nests deeper than the %d levels that the space admits", l.Nesting)
		}
	}
	return nil
}
