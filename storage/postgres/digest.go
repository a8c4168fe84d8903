package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"consilience/identity"
	"consilience/merge"
	"consilience/record"
)

// Digest returns the fingerprint of a space and the revision it is of, from one
// snapshot. It streams the tables in the digest's order through merge's own
// encoder, so that store and replay cannot differ in what they encode. It returns
// [reason.SpaceUnknown].
func (s *Store) Digest(ctx context.Context, space string) (digest [32]byte, revision uint64, err error) {
	err = s.readOnly(ctx, func(tx pgx.Tx) error {
		n, err := spaceNumber(ctx, tx, space)
		if err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, query("space_revision"), n).Scan(&revision); err != nil {
			return err
		}
		var d merge.Digester
		for _, part := range digestParts {
			rows, err := tx.Query(ctx, query(part.name), n)
			if err != nil {
				return err
			}
			if err := part.lines(rows, &d); err != nil {
				return err
			}
		}
		digest = d.Sum()
		return nil
	})
	return digest, revision, err
}

// digestParts are the kinds of line, in their order.
var digestParts = []struct {
	name  string
	lines func(pgx.Rows, *merge.Digester) error
}{
	{"digest_items", digestItems},
	{"digest_statements", digestStatements},
	{"digest_holders", digestHolders},
	{"digest_reputations", digestReputations},
	{"digest_judgements", digestJudgements},
	{"digest_exposures", digestExposures},
	{"digest_sequences", digestSequences},
}

func digestItems(rows pgx.Rows, d *merge.Digester) error {
	var l merge.ItemLine
	var id, hash, head []byte
	fields := []any{&id, &l.Founded, &l.Kind, &hash, &l.ClaimKey, &l.ClaimValue, &l.Confidence, &l.Support, &l.Doubt, &l.Groups,
		&l.Status, &l.Verdict, &head}
	_, err := pgx.ForEachRow(rows, fields, func() error {
		l.ID, l.Hash, l.Head = record.ItemID(id), record.Hash(hash), record.ID(head)
		return d.Add(l)
	})
	return err
}

func digestStatements(rows pgx.Rows, d *merge.Digester) error {
	var l merge.StatementLine
	var item, contributor []byte
	fields := []any{&item, &contributor, &l.Sequence, &l.Index, &l.Seq, &l.Side, &l.Value, &l.Reputation, &l.Depth, &l.Proven,
		&l.Echo, &l.Record, &l.Kind, &l.Hash}
	_, err := pgx.ForEachRow(rows, fields, func() error {
		l.Item, l.Contributor = record.ItemID(item), identity.ID(contributor)
		return d.Add(l)
	})
	return err
}

func digestHolders(rows pgx.Rows, d *merge.Digester) error {
	var l merge.HolderLine
	var hash, contributor []byte
	fields := []any{&l.Kind, &hash, &contributor, &l.Root, &l.Origin, &l.Credit, &l.Corroborated, &l.Blamed}
	_, err := pgx.ForEachRow(rows, fields, func() error {
		l.Hash, l.Contributor = record.Hash(hash), identity.ID(contributor)
		return d.Add(l)
	})
	return err
}

func digestReputations(rows pgx.Rows, d *merge.Digester) error {
	var l merge.ReputationLine
	var contributor []byte
	var averages []uint32
	fields := []any{&contributor, &l.R0, &l.Confirmed, &l.Contradicted, &l.Corroborated, &l.Accepted, &l.Window, &l.Locks, &l.Left,
		&averages}
	_, err := pgx.ForEachRow(rows, fields, func() error {
		l.Contributor, l.Averages = identity.ID(contributor), [3]uint32(averages)
		return d.Add(l)
	})
	return err
}

func digestJudgements(rows pgx.Rows, d *merge.Digester) error {
	var l merge.JudgementLine
	var hash, judged []byte
	_, err := pgx.ForEachRow(rows, []any{&l.Kind, &hash, &l.Verdict, &l.Seq, &judged}, func() error {
		l.Hash, l.Record = record.Hash(hash), record.ID(judged)
		return d.Add(l)
	})
	return err
}

func digestExposures(rows pgx.Rows, d *merge.Digester) error {
	var l merge.ExposureLine
	var root, hash []byte
	_, err := pgx.ForEachRow(rows, []any{&root, &l.Kind, &hash, &l.Seq}, func() error {
		l.Root, l.Hash = identity.ID(root), record.Hash(hash)
		return d.Add(l)
	})
	return err
}

func digestSequences(rows pgx.Rows, d *merge.Digester) error {
	var l merge.SequenceLine
	var contributor []byte
	_, err := pgx.ForEachRow(rows, []any{&contributor, &l.Sequence}, func() error {
		l.Contributor = identity.ID(contributor)
		return d.Add(l)
	})
	return err
}
