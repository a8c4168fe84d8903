package postgres

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"consilience/command"
	"consilience/fleet"
	"consilience/identity"
	"consilience/lineage"
	"consilience/reason"
)

// FactRow is one fleet message with what became of it.
type FactRow struct {
	Fact    fleet.Fact
	Effect  fleet.Effect
	Refusal error // why it changed nothing, nil if it did
	// After is the fleet with this fact. It is not used once AppendFacts has returned.
	After fleet.View
}

// Facts returns every fleet message after a sequence, refused ones too, in log
// order. There is no gap: a fact is stored after all before it. Effect and After
// are empty, folding the facts again gives them.
func (s *Store) Facts(ctx context.Context, after uint64) ([]FactRow, error) {
	rows, err := s.pool.Query(ctx, query("facts"), int64(after))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (FactRow, error) {
		var f FactRow
		var subject, refusal string
		if err := row.Scan(&f.Fact.Seq, &f.Fact.Time, &subject, &refusal, &f.Fact.Raw); err != nil {
			return f, err
		}
		if refusal != "" {
			f.Refusal = reason.New(reason.Code(refusal), "refused when it was first read")
		}
		// A subject that cannot be read was refused for it and has no parts.
		f.Fact.Subject, _ = command.ParseSubject(subject)
		return f, nil
	})
}

// AppendFacts stores facts, all or none, durably, and what they amount to for
// readers. A fact that is there already is left as it is, so that workers who read
// the same facts may all store them.
func (s *Store) AppendFacts(ctx context.Context, rows []FactRow) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		// One at a time: what facts amount to must not run backwards.
		var newest uint64
		if err := tx.QueryRow(ctx, query("fact_lock")).Scan(&newest); err != nil {
			return err
		}
		var b pgx.Batch
		for _, r := range rows {
			if r.Fact.Seq > newest {
				queueFact(&b, r)
			}
		}
		if b.Len() == 0 {
			return nil
		}
		return tx.SendBatch(ctx, &b).Close()
	})
}

func queueFact(b *pgx.Batch, r FactRow) {
	var commandID, signer []byte
	if r.Effect.Command.ID != (command.ID{}) {
		commandID = r.Effect.Command.ID[:]
	}
	if r.Fact.Subject.Signer != (identity.ID{}) {
		signer = r.Fact.Subject.Signer[:]
	}
	var refusal string
	if r.Refusal != nil {
		refusal = string(reason.Of(r.Refusal))
		if refusal == "" {
			refusal = string(reason.Malformed)
		}
	}
	b.Queue(query("fact_insert"), int64(r.Fact.Seq), r.Fact.Subject.Kind, r.Fact.Subject.Stored(), commandID, signer,
		r.Effect.Target, reasonGiven(r.Effect.Command.Command.Body), r.Effect.Summary, refusal, int64(r.Fact.Time), r.Fact.Raw)
	if r.Refusal == nil && !r.Effect.Known {
		queueEffect(b, r)
	}
}

// reasonGiven is the reason that a fact's signer gave, "" for a kind without one.
func reasonGiven(body any) string {
	switch b := body.(type) {
	case command.Retire:
		return b.Reason
	case command.Quarantine:
		return b.Reason
	case command.Release:
		return b.Reason
	}
	return ""
}

// queueEffect writes what an accepted fact changes.
func queueEffect(b *pgx.Batch, r FactRow) {
	seq := int64(r.Fact.Seq)
	switch body := r.Effect.Command.Command.Body.(type) {
	case command.Genesis:
		queueKeys(b, "operator", seq, body.Operators)
		queueKeys(b, "service", seq, body.Services)
	case command.Operators:
		queueKeys(b, body.Role, seq, body.Add)
		for _, k := range body.Remove {
			id := k.KeyID()
			b.Queue(query("key_end"), id[:], body.Role, seq)
		}
	case command.Space:
		queueSpace(b, r, body.Name)
	case command.PolicyChange:
		queueSpace(b, r, body.Space)
	case command.Enroll:
		queueContributor(b, r, body.Key.ID(), true)
		queueKey(b, "contributor", seq, body.Key.ID(), body.Key)
	case command.Derive:
		queueContributor(b, r, body.Child.ID(), false)
		queueKey(b, "contributor", seq, body.Child.ID(), body.Child)
	case command.Rotate:
		b.Queue(query("key_end_owner"), body.Contributor[:], seq)
		queueKey(b, "contributor", seq, body.Contributor, body.Key)
	case command.Retire:
		b.Queue(query("contributor_retire"), body.Contributor[:], seq, int64(r.Fact.Time))
	case command.Quarantine:
		b.Queue(query("quarantine_end"), body.Contributor[:], seq)
		b.Queue(query("quarantine_begin"), body.Contributor[:], seq, int64(body.Since), body.All, int64(r.Fact.Time), body.Reason)
	case command.Release:
		b.Queue(query("quarantine_end"), body.Contributor[:], seq)
	}
}

func queueKeys(b *pgx.Batch, role string, seq int64, keys []identity.PublicKey) {
	for _, k := range keys {
		queueKey(b, role, seq, k.ID(), k)
	}
}

func queueKey(b *pgx.Batch, role string, seq int64, owner identity.ID, k identity.PublicKey) {
	id := k.KeyID()
	b.Queue(query("key_begin"), id[:], role, owner[:], k[:], seq)
}

func queueSpace(b *pgx.Batch, r FactRow, name string) {
	space, ok := r.After.Space(name)
	if !ok {
		return
	}
	p := space.Policy
	document, err := json.Marshal(p)
	if err != nil {
		panic("postgres: policy: " + err.Error()) // no field of it can fail
	}
	b.Queue(query("space_write"), space.Num, name, command.Partition(name), int64(r.Fact.Seq), p.Authority, int32(p.NearZero),
		p.Reputation, int32(p.R0), document)
}

// queueContributor writes a contributor and, where a root was enrolled again, what
// it gives to those that derive from it.
func queueContributor(b *pgx.Batch, r FactRow, id identity.ID, enrolled bool) {
	c, ok := r.After.Contributor(id)
	if !ok {
		return
	}
	v := r.After.Lineage()
	spaces := c.Spaces
	if spaces == nil {
		spaces = []string{}
	}
	b.Queue(query("contributor_write"), nodeNumber(c.Node), c.ID[:], c.Name, nodeNumber(v.Root(c.Node)),
		column(c.Parents, nodeNumber), int16(v.Depth(c.Node)), c.Origin, c.Vouched, int32(c.Reputation), spaces,
		int64(r.Fact.Seq), int64(c.EnrolledAt))
	if g := v.Group(c.Node); g < 0 {
		b.Queue(query("origin_write"), int32(g), v.Origin(g))
	}
	if enrolled {
		b.Queue(query("contributor_inherit"), nodeNumber(c.Node), c.Origin, spaces)
	}
	ancestors := v.Ancestors(c.Node)
	b.Queue(query("ancestry_write"), nodeNumber(c.Node),
		column(ancestors, func(a lineage.Ancestor) int32 { return nodeNumber(a.Node) }),
		column(ancestors, func(a lineage.Ancestor) int16 { return int16(a.Distance) }))
}
