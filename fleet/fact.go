package fleet

import (
	"consilience/command"
	"consilience/identity"
	"consilience/lineage"
)

// Fact is one message of the fleet's subjects.
type Fact struct {
	Seq     uint64          // stream sequence
	Time    uint64          // the stream's timestamp, Unix milliseconds
	Subject command.Subject // parsed from the message's subject
	Raw     []byte          // the message
}

// Effect is what a fact did. Of a refused one it holds what the message says of
// itself, as far as it could be read: Seq, Command, Kind, Signer and Target.
type Effect struct {
	Seq     uint64
	Command command.Message
	Kind    command.Kind
	Signer  identity.ID  // as the subject names it
	Node    lineage.Node // the contributor it is about, 0 for none
	Target  string       // what it is about, as shown: a contributor's id, a space's name, a role
	Summary string       // one line for a person
	Known   bool         // at or below the last sequence: ignored
	Vouched int8         // +1: an enrolled contributor is vouched for now; -1: no longer
	Sweep   Sweep
}

// Sweep says whose items have to be recomputed after a fact.
type Sweep struct {
	Nodes []lineage.Node // contributors, ascending
	All   bool           // every item of Space
	Space string
}

// targetOf is what a command names, in its shown form; "" for a judgement.
func targetOf(body any) string {
	switch b := body.(type) {
	case command.Genesis:
		return "store"
	case command.Operators:
		return b.Role
	case command.Space:
		return b.Name
	case command.PolicyChange:
		return b.Space
	case command.Enroll:
		return b.Key.ID().String()
	case command.Derive:
		return b.Child.ID().String()
	case command.Rotate:
		return b.Contributor.String()
	case command.Retire:
		return b.Contributor.String()
	case command.Quarantine:
		return b.Contributor.String()
	case command.Release:
		return b.Contributor.String()
	}
	return ""
}
