package postgres

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/jackc/pgx/v5"

	"consilience/lineage"
	"consilience/record"
)

const (
	// rareContents bounds the contents that a search by words looks at: words are
	// taken from the rarest on while they stand in no more than these together.
	rareContents = 4000
	// recentContents is how many of the newest contents are looked at where every
	// word of a question is common.
	recentContents = 20_000
)

// RecallQuestion says which items a recall is about: those that are known already,
// those that a claim key has, or those whose contents share words.
type RecallQuestion struct {
	Items    []record.ItemID // found elsewhere, best first
	ClaimKey *[32]byte
	Words    []int64 // see [Words]
	// Lowest is the confidence, ppm, below which an item comes after all others:
	// items that are not shown do not push out those that are.
	Lowest uint32
	Limit  int // the largest number of items
}

// RecallCandidate is an item that a recall found, with its head record.
type RecallCandidate struct {
	Item          record.ItemID
	Score         int64  // by words: the more and the rarer, the larger; 0 otherwise
	Confidence    uint32 // ppm, 0 while quarantined
	Belief        uint32 // ppm
	Authoritative bool
	Status        string // as memory.items shows it
	Tainted       bool   // the head rests on a quarantined record
	Updated       uint64 // Unix milliseconds
	Head          StoredRecord
}

// Recalled is what a recall found in one snapshot of the store.
type Recalled struct {
	// Revision is the larger of the space's last entry and the last fleet fact.
	Revision   uint64
	LastFact   uint64            // sequence of the last fleet fact
	Candidates []RecallCandidate // best first
}

// Recall finds the items that a question is about, in one snapshot, as the store
// has them: nothing is verified here.
func (s *Store) Recall(ctx context.Context, space int32, q RecallQuestion) (Recalled, error) {
	var out Recalled
	err := pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		var b pgx.Batch
		b.Queue(query("recall_settings"))
		b.Queue(query("recall_revision"), space).QueryRow(func(row pgx.Row) error { return row.Scan(&out.Revision, &out.LastFact) })
		if err := tx.SendBatch(ctx, &b).Close(); err != nil {
			return err
		}
		hits, err := recallHits(ctx, tx, space, q)
		if err != nil || len(hits) == 0 {
			return err
		}
		out.Candidates, err = recallItems(ctx, tx, space, hits)
		return err
	})
	return out, err
}

// hit is an item by its number, and how well it fits.
type hit struct{ item, score int64 }

func recallHits(ctx context.Context, tx pgx.Tx, space int32, q RecallQuestion) ([]hit, error) {
	switch {
	case q.ClaimKey != nil:
		return collectHits(tx.Query(ctx, query("recall_claim"), space, q.ClaimKey[:], q.Limit))
	case len(q.Items) > 0:
		items := q.Items[:min(len(q.Items), q.Limit)]
		return collectHits(tx.Query(ctx, query("recall_known"), space, column(items, record.ItemID.String)))
	case len(q.Words) == 0:
		return nil, nil
	}
	words, rare, err := weigh(ctx, tx, space, q.Words)
	if err != nil || len(words) == 0 {
		return nil, err
	}
	all, weights := column(words, func(w weighed) int64 { return w.word }), column(words, func(w weighed) int32 { return w.weight })
	if rare == 0 {
		return collectHits(tx.Query(ctx, query("recall_common"), space, all, weights, recentContents, q.Lowest, q.Limit))
	}
	return collectHits(tx.Query(ctx, query("recall_rare"), space, all, weights, all[:rare], q.Lowest, q.Limit))
}

// collectHits reads hits from rows of an item and, perhaps, a score.
func collectHits(rows pgx.Rows, err error) ([]hit, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (hit, error) {
		var h hit
		into := []any{&h.item, &h.score}
		return h, row.Scan(into[:len(row.FieldDescriptions())]...)
	})
}

// weighed is a word of a question that the space has.
type weighed struct {
	word     int64
	contents int64
	weight   int32 // 1 for a word of every content, 1 more for each halving
}

// weigh returns the words that the space has, rarest first, and how many of them
// are rare enough to be looked for.
func weigh(ctx context.Context, tx pgx.Tx, space int32, words []int64) (known []weighed, rare int, err error) {
	rows, err := tx.Query(ctx, query("recall_words"), space, words)
	if err != nil {
		return nil, 0, err
	}
	var w weighed
	var total int64
	_, err = pgx.ForEachRow(rows, []any{&w.word, &w.contents, &total}, func() error {
		if w.contents > 0 {
			w.weight = int32(bits.Len64(uint64(max(total, w.contents) / w.contents)))
			known = append(known, w)
		}
		return nil
	})
	slices.SortFunc(known, func(a, b weighed) int {
		return cmp.Or(cmp.Compare(a.contents, b.contents), cmp.Compare(a.word, b.word))
	})
	sum := int64(0)
	for _, w := range known {
		if sum += w.contents; sum > rareContents {
			break
		}
		rare++
	}
	return known, rare, err
}

func recallItems(ctx context.Context, tx pgx.Tx, space int32, hits []hit) ([]RecallCandidate, error) {
	rows, err := tx.Query(ctx, query("recall_items"), space, column(hits, func(h hit) int64 { return h.item }))
	if err != nil {
		return nil, err
	}
	found, err := pgx.CollectRows(rows, scanCandidate)
	if err != nil {
		return nil, err
	}
	scores := make(map[int64]int64, len(hits))
	for _, h := range hits {
		scores[h.item] = h.score
	}
	out := make([]RecallCandidate, len(found))
	for i, f := range found {
		out[i], out[i].Score = f.RecallCandidate, scores[f.number]
	}
	return out, nil
}

// numbered is a candidate and the number of its item.
type numbered struct {
	RecallCandidate
	number int64
}

func scanCandidate(row pgx.CollectableRow) (numbered, error) {
	var n numbered
	var item, id, forward, content []byte
	var erased bool
	var contributor int32
	err := row.Scan(&n.number, &item, &n.Confidence, &n.Belief, &n.Authoritative, &n.Status, &n.Tainted, &n.Updated,
		&id, &forward, &content, &erased, &contributor, &n.Head.Seq, &n.Head.Envelope)
	if err != nil {
		return n, err
	}
	n.Item, n.Head.Contributor = record.ItemID(item), lineage.Node(contributor)
	n.Head.Record = restored(record.ID(id), forward, content, erased)
	return n, nil
}
