package postgres

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"

	"consilience/identity"
	"consilience/reason"
	"consilience/record"
)

// minPrefix is the fewest characters that stand for an id.
const minPrefix = 8

// RecordID finds a record of a space by its id or by a unique prefix of at least 8
// characters, with or without "rec:". It returns [reason.NotFound],
// [reason.Ambiguous] or [reason.UsageError].
func (s *Store) RecordID(ctx context.Context, space, arg string) (record.ID, error) {
	_, id, err := s.find(ctx, shownID{"find_record", "rec:", "record"}, space, arg)
	return record.ID(id), err
}

// ItemID finds an item by its id or by a unique prefix of at least 8 characters,
// with or without "item:", in a space or, where space is "", in any. It returns
// what [Store.RecordID] returns.
func (s *Store) ItemID(ctx context.Context, space, arg string) (string, record.ItemID, error) {
	in, id, err := s.find(ctx, shownID{"find_item", "item:", "item"}, space, arg)
	return in, record.ItemID(id), err
}

// shownID is a kind of id that is found by a prefix of its shown form.
type shownID struct{ query, prefix, noun string }

func (s *Store) find(ctx context.Context, kind shownID, space, arg string) (in string, id [32]byte, err error) {
	prefix := strings.TrimPrefix(arg, kind.prefix)
	if len(prefix) < minPrefix || len(prefix) > 43 || !isBase64(prefix) {
		return "", id, reason.New(reason.UsageError, "neither an id nor %d or more of its first characters", minPrefix).On(arg)
	}
	rows, err := s.pool.Query(ctx, query(kind.query), storable(space), kind.prefix+prefix, above(kind.prefix+prefix))
	if err != nil {
		return "", id, err
	}
	found := 0
	var bytes []byte
	_, err = pgx.ForEachRow(rows, []any{&in, &bytes}, func() error {
		found++
		id = [32]byte(bytes)
		return nil
	})
	switch {
	case err != nil:
		return "", id, err
	case found == 0:
		return "", id, reason.New(reason.NotFound, "no such %s", kind.noun).On(arg)
	case found > 1:
		return "", id, reason.New(reason.Ambiguous, "fits more than one").On(arg).Advise("give more of it, or name the space")
	}
	return in, id, nil
}

// above is the first text in bytewise order that does not begin with prefix.
func above(prefix string) string {
	return prefix[:len(prefix)-1] + string(prefix[len(prefix)-1]+1)
}

func isBase64(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// ItemOf finds the item that a content belongs to. It returns [reason.NotFound] if
// the space does not hold the content.
func (s *Store) ItemOf(ctx context.Context, space string, c record.Content) (record.ItemID, error) {
	var id []byte
	err := s.pool.QueryRow(ctx, query("find_item_by_content"), space, int16(c.Kind), c.Hash[:]).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return record.ItemID{}, reason.New(reason.NotFound, "no item of the space holds this content")
	}
	if err != nil {
		return record.ItemID{}, err
	}
	return record.ItemID(id), nil
}

// ContributorID finds a contributor by its enrolled name or by its id, with or
// without "nhe:". It returns [reason.NotFound].
func (s *Store) ContributorID(ctx context.Context, arg string) (identity.ID, error) {
	var parsed []byte
	if id, err := identity.ParseID(arg); err == nil {
		parsed = id[:]
	}
	var id []byte
	err := s.pool.QueryRow(ctx, query("find_contributor"), storable(arg), parsed).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return identity.ID{}, reason.New(reason.NotFound, "no contributor of this name or id").On(arg)
	}
	if err != nil {
		return identity.ID{}, err
	}
	return identity.ID(id), nil
}

// spaceNumber is the number of a space, or [reason.SpaceUnknown].
func spaceNumber(ctx context.Context, q querier, name string) (int32, error) {
	var n int32
	err := q.QueryRow(ctx, query("find_space"), storable(name)).Scan(&n)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, reason.New(reason.SpaceUnknown, "no such space").On(name)
	}
	return n, err
}

// querier is a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}
