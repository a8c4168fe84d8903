package postgres

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

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
	// bestContents is how many of the contents that fit best items are chosen from.
	bestContents = 256
)

// RecallQuestion says which items a recall is about: those that are similar to a text,
// those that a claim key has, or those whose contents share words.
type RecallQuestion struct {
	Similar []SimilarItem // found elsewhere
	Claim   *ClaimKey
	Words   []int64 // see [Words]
	// Behind looks for words even where some were not taken yet.
	Behind bool
	// Lowest is the confidence, ppm, below which an item comes after all others:
	// items that are not shown do not push out those that are.
	Lowest uint32
	Limit  int // the largest number of items
}

// ClaimKey is the key of a claim, folded. Claims of one value are found by its hash,
// those of many by its parts.
type ClaimKey struct {
	Hash                      [32]byte
	Subject, Predicate, Scope string
}

// SimilarItem is an item by its number, and how similar it is.
type SimilarItem struct{ Item, Score int64 }

// RecallCandidate is an item that a recall found, with its head record.
type RecallCandidate struct {
	Item          record.ItemID
	Number        int64  // of the item
	Score         int64  // by words: the more and the rarer, the larger; the similarity; 0 by a key
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
	Behind     bool              // records have words that were not taken: nothing was looked for
	Candidates []RecallCandidate // best first
}

// Recall finds the items that a question is about, in one snapshot, as the store
// has them: nothing is verified here. It costs three round trips, four where hidden items
// crowd the others out.
func (s *Store) Recall(ctx context.Context, space int32, q RecallQuestion) (Recalled, error) {
	var out Recalled
	err := s.pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error {
		words, err := recallBegin(ctx, c, space, q, &out)
		if err != nil {
			return err
		}
		var hits []hit
		if !out.Behind {
			if hits, err = recallHits(ctx, c, space, q, words); err != nil {
				return err
			}
		}
		out.Candidates, err = recallEnd(ctx, c, space, hits)
		return err
	})
	return out, err
}

// recallBegin opens the snapshot and reads what stands at its head, and the words.
// After an error the pool closes the connection, whose transaction is open.
func recallBegin(ctx context.Context, c *pgxpool.Conn, space int32, q RecallQuestion, out *Recalled) (known []weighed, err error) {
	var b pgx.Batch
	b.Queue(query("recall_begin"))
	b.Queue(query("recall_settings"))
	b.Queue(query("recall_revision"), space).QueryRow(func(row pgx.Row) error { return row.Scan(&out.Revision, &out.LastFact) })
	if len(q.Words) > 0 {
		b.Queue(query("search_newest"), space).QueryRow(func(row pgx.Row) error {
			var newest, taken int64
			err := row.Scan(&newest, &taken)
			out.Behind = taken < newest && !q.Behind
			return err
		})
		b.Queue(query("recall_words"), space, q.Words).Query(func(rows pgx.Rows) error {
			known, err = weigh(rows)
			return err
		})
	}
	err = c.SendBatch(ctx, &b).Close()
	return known, err
}

// recallEnd reads the candidates and closes the snapshot.
func recallEnd(ctx context.Context, c *pgxpool.Conn, space int32, hits []hit) (found []RecallCandidate, err error) {
	var b pgx.Batch
	if len(hits) > 0 {
		b.Queue(query("recall_items"), space, column(hits, func(h hit) int64 { return h.item })).Query(func(rows pgx.Rows) error {
			found, err = pgx.CollectRows(rows, scanCandidate)
			return err
		})
	}
	b.Queue(query("recall_end"))
	err = c.SendBatch(ctx, &b).Close()
	scores := make(map[int64]int64, len(hits))
	for _, h := range hits {
		scores[h.item] = h.score
	}
	for i, f := range found {
		found[i].Score = scores[f.Number]
	}
	return found, err
}

// hit is an item by its number, and how well it fits.
type hit struct {
	item, score int64
	shown       bool  // of a search by words: whether the item is shown at all
	looked      int64 // of a search by words: how many contents items were chosen from
}

func recallHits(ctx context.Context, c *pgxpool.Conn, space int32, q RecallQuestion, words []weighed) ([]hit, error) {
	all, weights := column(words, func(w weighed) int64 { return w.word }), column(words, func(w weighed) int32 { return w.weight })
	switch rare := rareOf(words); {
	case q.Claim != nil:
		k := q.Claim
		return collectHits(c.Query(ctx, query("recall_claim"), space, k.Hash[:], k.Subject, k.Predicate, k.Scope, q.Limit))
	case len(q.Similar) > 0:
		items, scores := column(q.Similar, func(s SimilarItem) int64 { return s.Item }), column(q.Similar, func(s SimilarItem) int64 { return s.Score })
		return collectHits(c.Query(ctx, query("recall_similar"), space, items, scores, q.Lowest, q.Limit))
	case len(words) == 0:
		return nil, nil
	case rare == 0:
		return uncrowded(q.Limit, func(places int) ([]hit, error) {
			return collectHits(c.Query(ctx, query("recall_common"), space, all, weights, recentContents, q.Lowest, q.Limit, places))
		})
	default:
		return uncrowded(q.Limit, func(places int) ([]hit, error) {
			return collectHits(c.Query(ctx, query("recall_rare"), space, all, weights, all[:rare], q.Lowest, q.Limit, places))
		})
	}
}

// uncrowded searches among the contents that fit best, and among all if items that are
// not shown took the places of others that would be: whoever was quarantined for many
// contents that fit must not hide what is left.
func uncrowded(limit int, search func(places int) ([]hit, error)) ([]hit, error) {
	places := max(bestContents, 2*limit)
	hits, err := search(places)
	if n := len(hits); err != nil || n == 0 || hits[n-1].shown || hits[n-1].looked < int64(places) {
		return hits, err
	}
	return search(recentContents)
}

// collectHits reads hits from rows of an item and what else is known of it.
func collectHits(rows pgx.Rows, err error) ([]hit, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (hit, error) {
		var h hit
		into := []any{&h.item, &h.score, &h.shown, &h.looked}
		return h, row.Scan(into[:len(row.FieldDescriptions())]...)
	})
}

// weighed is a word of a question that the space has.
type weighed struct {
	word     int64
	contents int64
	weight   int32 // 1 for a word of every content, 1 more for each halving
}

// weigh reads the words that the space has, rarest first.
func weigh(rows pgx.Rows) (known []weighed, err error) {
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
	return known, err
}

// rareOf is how many of the words, from the rarest on, are rare enough to be looked for.
func rareOf(known []weighed) (rare int) {
	sum := int64(0)
	for _, w := range known {
		if sum += w.contents; sum > rareContents {
			break
		}
		rare++
	}
	return rare
}

func scanCandidate(row pgx.CollectableRow) (c RecallCandidate, err error) {
	var item, id, forward, content []byte
	var erased bool
	var contributor int32
	err = row.Scan(&c.Number, &item, &c.Confidence, &c.Belief, &c.Authoritative, &c.Status, &c.Tainted, &c.Updated,
		&id, &forward, &content, &erased, &contributor, &c.Head.Seq, &c.Head.Envelope)
	if err != nil {
		return c, err
	}
	c.Item, c.Head.Contributor = record.ItemID(item), lineage.Node(contributor)
	c.Head.Record = restored(record.ID(id), forward, content, erased)
	return c, nil
}
