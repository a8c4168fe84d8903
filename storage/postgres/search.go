package postgres

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"consilience/record"
)

// wordsChunk is how many records one step of [Store.TakeWords] looks at.
const wordsChunk = 2000

// Words are the words of a content as numbers, ascending, each once.
type Words func(space int32, kind record.Kind, content []byte) []int64

// Behind returns the spaces that are searched by words and have records whose
// words were not taken.
func (s *Store) Behind(ctx context.Context) ([]int32, error) {
	rows, err := s.pool.Query(ctx, query("search_behind"))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int32])
}

// Untaken returns the number of the space's newest record and that of the last one
// whose words were taken.
func (s *Store) Untaken(ctx context.Context, space int32) (newest, taken int64, err error) {
	err = s.pool.QueryRow(ctx, query("search_newest"), space).Scan(&newest, &taken)
	return newest, taken, err
}

// TakeWords takes the words of the next records of a space, in a transaction of its
// own, and returns the last record whose words are taken. From its first call on
// the space is searched by words, and [Store.Behind] names it. Any number of
// processes may call it: one works, the others wait for it.
func (s *Store) TakeWords(ctx context.Context, space int32, words Words) (taken int64, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, query("search_begin"), space); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, query("search_lock"), space).Scan(&taken); err != nil {
			return err
		}
		found, last, err := untaken(ctx, tx, space, taken, words)
		if err != nil || last == taken {
			return err
		}
		taken = last
		return keepWords(ctx, tx, space, last, found)
	})
	return taken, err
}

// worded is a content with its words.
type worded struct {
	content, item int64
	words         []int64
}

// untaken reads the next records after one, and the words of those that are the
// first of their content.
func untaken(ctx context.Context, tx pgx.Tx, space int32, after int64, words Words) (found []worded, last int64, err error) {
	last = after
	rows, err := tx.Query(ctx, query("search_untaken"), space, after, wordsChunk)
	if err != nil {
		return nil, last, err
	}
	var item int64
	var kind int16
	var content []byte
	_, err = pgx.ForEachRow(rows, []any{&last, &item, &kind, &content}, func() error {
		if content != nil {
			found = append(found, worded{last, item, words(space, record.Kind(kind), content)})
		}
		return nil
	})
	return found, last, err
}

func keepWords(ctx context.Context, tx pgx.Tx, space int32, last int64, found []worded) error {
	counts := countWords(found)
	var b pgx.Batch
	b.Queue(query("search_take"), space, column(found, func(w worded) int64 { return w.content }),
		column(found, func(w worded) int64 { return w.item }), column(found, worded.list))
	b.Queue(query("search_count"), space,
		column(counts, func(c wordCount) int64 { return c.word }), column(counts, func(c wordCount) int32 { return c.contents }))
	b.Queue(query("search_advance"), space, last, len(found))
	return tx.SendBatch(ctx, &b).Close()
}

// list is the words as one text: an array of arrays cannot be a column.
func (w worded) list() string {
	var b strings.Builder
	for i, word := range w.words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.FormatInt(word, 10))
	}
	return b.String()
}

// wordCount is in how many contents a word stands.
type wordCount struct {
	word     int64
	contents int32
}

func countWords(found []worded) []wordCount {
	counts := map[int64]int32{}
	for _, f := range found {
		for _, w := range f.words {
			counts[w]++
		}
	}
	all := make([]wordCount, 0, len(counts))
	for w, n := range counts {
		all = append(all, wordCount{w, n})
	}
	slices.SortFunc(all, func(a, b wordCount) int { return cmp.Compare(a.word, b.word) })
	return all
}
