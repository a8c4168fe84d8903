package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"consilience/reason"
	"consilience/record"
)

// Explanation is why an item has the confidence that it has, as the views of
// schema memory show it. Numbers are decimals with six places.
type Explanation struct {
	Space, ItemID, Content, Kind        string
	Confidence, Support, Doubt, Belief  string
	Status                              string
	Authoritative, Tainted              bool
	Groups                              int
	ClaimSubject, ClaimPredicate, Value string // of a claim
	Rivals                              []Rival
	Stances                             []Stance // counted ones first, the strongest first
}

// Rival is an item that excludes the one explained and counts against it.
type Rival struct{ ItemID, Why, Content, Confidence string }

// Stance is one statement about the item.
type Stance struct {
	Contributor, Name, Stance   string
	Counted                     bool
	Why                         string // why it does not count, "" if it does
	Base, Reputation, Effective string
	Depth                       int
	RecordID, DeltaID           string // RecordID is "" for a doubt
	At                          time.Time
}

// Explain returns why an item has its confidence, stance by stance, from one
// snapshot. It returns [reason.ItemUnknown].
func (s *Store) Explain(ctx context.Context, space string, id record.ItemID) (Explanation, error) {
	var e Explanation
	err := s.readOnly(ctx, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, query("explain_item"), storable(space), id.String()).Scan(&e.Space, &e.ItemID, &e.Content, &e.Kind,
			&e.Confidence, &e.Support, &e.Doubt, &e.Belief, &e.Status, &e.Authoritative, &e.Tainted, &e.Groups,
			&e.ClaimSubject, &e.ClaimPredicate, &e.Value)
		if errors.Is(err, pgx.ErrNoRows) {
			return reason.New(reason.ItemUnknown, "no such item").On(id.String())
		}
		if err != nil {
			return err
		}
		if e.Rivals, err = collect(ctx, tx, "explain_rivals", scanRival, space, id.String()); err != nil {
			return err
		}
		e.Stances, err = collect(ctx, tx, "explain_stances", scanStance, space, id.String())
		return err
	})
	return e, err
}

func collect[T any](ctx context.Context, q querier, name string, scan pgx.RowToFunc[T], args ...any) ([]T, error) {
	rows, err := q.Query(ctx, query(name), args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scan)
}

func scanRival(row pgx.CollectableRow) (r Rival, err error) {
	return r, row.Scan(&r.ItemID, &r.Why, &r.Content, &r.Confidence)
}

func scanStance(row pgx.CollectableRow) (s Stance, err error) {
	return s, row.Scan(&s.Contributor, &s.Name, &s.Stance, &s.Counted, &s.Why, &s.Base, &s.Reputation, &s.Depth, &s.Effective,
		&s.RecordID, &s.DeltaID, &s.At)
}

// OverviewItem is one row of an [Store.Overview].
type OverviewItem struct {
	ItemID, Content, Confidence, Belief string
	Authoritative                       bool
	Status                              string
	Supporters, Doubters                int
	Tainted                             bool
}

// Overview returns the items of a space that are believed most, at most limit.
func (s *Store) Overview(ctx context.Context, space string, limit int) (items []OverviewItem, err error) {
	err = s.readOnly(ctx, func(tx pgx.Tx) error {
		items, err = collect(ctx, tx, "overview", func(row pgx.CollectableRow) (o OverviewItem, err error) {
			return o, row.Scan(&o.ItemID, &o.Content, &o.Confidence, &o.Belief, &o.Authoritative, &o.Status, &o.Supporters,
				&o.Doubters, &o.Tainted)
		}, storable(space), limit)
		return err
	})
	return items, err
}
