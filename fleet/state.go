package fleet

import (
	"slices"

	"consilience/command"
	"consilience/identity"
	"consilience/lineage"
	"consilience/reason"
)

// State is the fold of the fleet's facts. It is pure and not safe for concurrent
// use while a fact is applied: callers lock.
type State struct {
	store     [32]byte
	last      uint64
	facts     []uint64 // sequences of the facts applied, ascending
	commands  map[command.ID]uint64
	threshold uint64

	graph        lineage.Graph
	contributors []contributor // contributors[n-1] is node n
	nodes        map[identity.ID]lineage.Node
	names        map[string]lineage.Node
	keys         map[identity.KeyID]*contributorKey
	roles        map[string]map[identity.KeyID][]term // by command.Role…
	spaces       map[string]*space
	spaceNames   []string // in the order of their creation
}

// contributor is what the log set about one contributor, oldest first.
type contributor struct {
	id         identity.ID
	name       string
	seq, at    uint64
	enrolments []enrolment // none for a derived one
	keys       []identity.KeyID
	retiredAt  uint64 // ms
	retired    uint64 // sequence, 0: not retired
}

type enrolment struct {
	seq uint64
	command.Enroll
}

// contributorKey is a key of a contributor; a key id belongs to one for ever.
type contributorKey struct {
	key         identity.PublicKey
	owner       lineage.Node
	from, until uint64 // sequences; until 0: current
}

// term is one time during which a key was an operator's or a service's.
type term struct {
	key         identity.PublicKey
	from, until uint64
}

type space struct {
	num      int32
	seq, at  uint64
	policies []policyAt
}

type policyAt struct {
	seq    uint64
	policy command.Policy
}

// New returns the empty fleet of a store. The store id is its trust root: the
// only first fact it accepts is the genesis that hashes to it, at sequence 1.
func New(store [32]byte) *State {
	return &State{
		store:    store,
		commands: map[command.ID]uint64{},
		nodes:    map[identity.ID]lineage.Node{},
		names:    map[string]lineage.Node{},
		keys:     map[identity.KeyID]*contributorKey{},
		roles:    map[string]map[identity.KeyID][]term{command.RoleOperator: {}, command.RoleService: {}},
		spaces:   map[string]*space{},
	}
}

// Store returns the store id.
func (s *State) Store() [32]byte { return s.store }

// LastSeq returns the sequence of the newest fact applied, 0 for none.
func (s *State) LastSeq() uint64 { return s.last }

// Apply opens, verifies and applies one fact. A refusal is a *reason.Error and
// leaves the state as it was; the effect then says what was refused. A fact at or below [State.LastSeq] is ignored.
func (s *State) Apply(f Fact) (Effect, error) {
	if f.Seq <= s.last {
		return Effect{Seq: f.Seq, Known: true}, nil
	}
	m, err := command.Open(f.Raw)
	if err != nil {
		return Effect{Seq: f.Seq, Signer: f.Subject.Signer}, err
	}
	said := Effect{Seq: f.Seq, Command: m, Kind: m.Command.Kind, Signer: f.Subject.Signer, Target: targetOf(m.Command.Body)}
	if err := s.admit(f, m); err != nil {
		return said, err
	}
	e := said
	if err := rules[e.Kind].apply(s, f, &e); err != nil {
		return said, err
	}
	s.last = f.Seq
	s.facts = append(s.facts, f.Seq)
	s.commands[m.ID] = f.Seq
	return e, nil
}

// rule is how one kind of fact is signed and what it does. apply checks all it
// checks before it changes anything.
type rule struct {
	signed func(*State, Fact, command.Message) error
	apply  func(*State, Fact, *Effect) error
}

var rules map[command.Kind]rule

func init() {
	rules = map[command.Kind]rule{
		command.KindGenesis:    {(*State).signedByFounder, (*State).genesis},
		command.KindOperators:  {(*State).signedByThreshold, (*State).operators},
		command.KindSpace:      {(*State).signedByOperator, (*State).space},
		command.KindPolicy:     {(*State).signedByOperator, (*State).policy},
		command.KindEnroll:     {(*State).signedByOperator, (*State).enroll},
		command.KindDerive:     {(*State).signedByFamily, (*State).derive},
		command.KindRotate:     {(*State).signedByOperator, (*State).rotate},
		command.KindRetire:     {(*State).signedByOperator, (*State).retire},
		command.KindQuarantine: {(*State).signedByOperator, (*State).quarantine},
		command.KindRelease:    {(*State).signedByOperator, (*State).release},
	}
}

// admit checks what holds for every fact: its subject, its store, that it was
// not applied before, and its signatures.
func (s *State) admit(f Fact, m command.Message) error {
	r, ok := rules[m.Command.Kind]
	if !ok || f.Subject.Class != command.ClassFleet {
		return reason.New(reason.SubjectMismatch, "no fact for the fleet")
	}
	if err := m.CheckSubject(f.Subject); err != nil {
		return err
	}
	if err := s.checkStore(f, m); err != nil {
		return err
	}
	if _, ok := s.commands[m.ID]; ok {
		return reason.New(reason.Duplicate, "the same command was applied before")
	}
	return r.signed(s, f, m)
}

// checkStore holds the log to its trust root.
func (s *State) checkStore(f Fact, m command.Message) error {
	if m.Command.Kind == command.KindGenesis {
		if f.Seq != 1 || command.StoreID(m.Payload) != s.store {
			return reason.New(reason.StoreMismatch, "not the genesis of this store, or not at sequence 1")
		}
		return nil
	}
	if m.Command.Store != s.store {
		return reason.New(reason.StoreMismatch, "signed for another store")
	}
	if s.last == 0 {
		return reason.New(reason.StoreMismatch, "no genesis before it")
	}
	return nil
}

// since reports whether a fact set at from and ended at until (0: not yet) is in
// force for an entry at seq.
func since(from, until, seq uint64) bool { return from < seq && (until == 0 || until >= seq) }

// inForce returns the key of a role for an entry at seq.
func (s *State) inForce(role string, kid identity.KeyID, seq uint64) (identity.PublicKey, bool) {
	terms := s.roles[role][kid]
	i := slices.IndexFunc(terms, func(t term) bool { return since(t.from, t.until, seq) })
	if i < 0 {
		return identity.PublicKey{}, false
	}
	return terms[i].key, true
}
