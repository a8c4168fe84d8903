package command

import (
	"hash/fnv"
	"strconv"
	"strings"

	"consilience/identity"
	"consilience/reason"
	"consilience/wire"
)

// Partitions is the number of partitions of the log, fixed for life.
const Partitions = 16

// Classes of subjects on the log.
const (
	ClassFleet = "fleet" // a fact for the whole fleet
	ClassSpace = "space" // an entry of one space
)

// Kinds of subjects in a space that carry no command.
const (
	SubjectDelta  = "delta"
	SubjectSlice  = "slice"
	SubjectServed = "served"
)

// Subject is the place of an entry on the log.
type Subject struct {
	Class  string // [ClassFleet] or [ClassSpace]
	Kind   string // a [Kind], or [SubjectDelta], [SubjectSlice], [SubjectServed]
	Space  string // "" in [ClassFleet]
	Signer identity.ID
}

// Partition is the partition of a space: what the server's partition(16,1)
// computes, FNV-1a-32 of the name modulo 16.
func Partition(space string) int {
	h := fnv.New32a()
	h.Write([]byte(space))
	return int(h.Sum32() % Partitions)
}

// SubjectFor is the subject under which a command is published. A fact for the
// fleet has no space; space is not looked at.
func SubjectFor(kind Kind, space string, signer identity.ID) string {
	if kinds[kind].space {
		return Subject{ClassSpace, string(kind), space, signer}.String()
	}
	return Subject{ClassFleet, string(kind), "", signer}.String()
}

// DeltaSubject is the subject under which a delta message is published.
func DeltaSubject(space string, contributor identity.ID) string {
	return Subject{ClassSpace, SubjectDelta, space, contributor}.String()
}

// SliceSubject is the subject of a slice issued to a contributor.
func SliceSubject(space string, contributor identity.ID) string {
	return Subject{ClassSpace, SubjectSlice, space, contributor}.String()
}

// ServedSubject is the subject of contents emitted to a contributor.
func ServedSubject(space string, contributor identity.ID) string {
	return Subject{ClassSpace, SubjectServed, space, contributor}.String()
}

// APISubject is the subject of a contributor's requests for verb.
func APISubject(verb Verb, contributor identity.ID) string {
	return "mem.api." + string(verb) + "." + contributor.Token()
}

// OutcomeSubject is the subject under which a contributor's outcomes are
// published.
func OutcomeSubject(contributor identity.ID) string {
	return "mem.outcome." + contributor.Token()
}

// String is the form under which an entry is published: mem.fleet.<kind>.<signer>
// or mem.space.<space>.<kind>.<signer>.
func (s Subject) String() string {
	if s.Class == ClassFleet {
		return "mem.fleet." + s.Kind + "." + s.Signer.Token()
	}
	return "mem.space." + s.Space + "." + s.Kind + "." + s.Signer.Token()
}

// Stored is the form under which the stream keeps the entry: a space's entries
// move to mem.part.<partition>.<space>.<kind>.<signer>, facts stay.
func (s Subject) Stored() string {
	if s.Class == ClassFleet {
		return s.String()
	}
	return "mem.part." + strconv.Itoa(Partition(s.Space)) + "." + s.Space + "." + s.Kind + "." + s.Signer.Token()
}

// ParseSubject reads both forms. It returns [reason.Malformed] for a subject that
// is neither, or whose partition is not its space's, [reason.NameInvalid] for
// the space and [reason.CommandUnknown] for the kind.
func ParseSubject(subject string) (Subject, error) {
	tokens := strings.Split(subject, ".")
	s := Subject{}
	switch {
	case len(tokens) == 4 && tokens[1] == "fleet":
		s = Subject{Class: ClassFleet, Kind: tokens[2]}
	case len(tokens) == 5 && tokens[1] == "space":
		s = Subject{Class: ClassSpace, Space: tokens[2], Kind: tokens[3]}
	case len(tokens) == 6 && tokens[1] == "part":
		s = Subject{Class: ClassSpace, Space: tokens[3], Kind: tokens[4]}
	default:
		return Subject{}, notOfTheLog
	}
	var err error
	if s.Signer, err = parseToken(tokens[len(tokens)-1]); err != nil {
		return Subject{}, err
	}
	if err := s.check(); err != nil {
		return Subject{}, err
	}
	if subject != s.String() && subject != s.Stored() {
		return Subject{}, notOfTheLog
	}
	return s, nil
}

var notOfTheLog = reason.New(reason.Malformed, "not a subject of the log")

// parseToken reads an id as a subject carries it, without "nhe:".
func parseToken(token string) (identity.ID, error) {
	b, err := wire.ParseText(token)
	return identity.ID(b), err
}

// check checks space and kind.
func (s Subject) check() error {
	if s.Class == ClassSpace {
		if err := wire.SpaceName(s.Space); err != nil {
			return err
		}
	}
	k, isCommand := kinds[Kind(s.Kind)]
	isOther := s.Kind == SubjectDelta || s.Kind == SubjectSlice || s.Kind == SubjectServed
	if isCommand && k.space == (s.Class == ClassSpace) || isOther && s.Class == ClassSpace {
		return nil
	}
	return reason.New(reason.CommandUnknown, "no such kind of entry")
}

// CheckSubject returns [reason.SubjectMismatch] unless the command belongs under
// s by its kind and [reason.SpaceMismatch] unless by its space. Whether s names
// the owner of the signing key is for the fold of the log to see.
func (m Message) CheckSubject(s Subject) error {
	if s.Kind != string(m.Command.Kind) {
		return reason.New(reason.SubjectMismatch, "subject names another kind of command")
	}
	if s.Space != m.Command.Space() {
		return reason.New(reason.SpaceMismatch, "subject names another space than the command")
	}
	return nil
}
