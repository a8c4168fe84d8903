package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// recalling are the statements of a recall, with how many parameters each has.
var recalling = []struct {
	name       string
	parameters int
}{
	{"recall_begin", 0}, {"recall_settings", 0}, {"recall_revision", 1}, {"search_newest", 1}, {"recall_words", 2},
	{"recall_rare", 7}, {"recall_common", 7}, {"recall_claim", 6}, {"recall_similar", 5}, {"recall_items", 2}, {"exposed", 4}, {"recall_end", 0},
}

// WarmRecalls lets every connection plan the statements of a recall when it is opened:
// the first recall of a connection would wait for that, longer than for all else.
// Connections that are open are replaced.
func (s *Store) WarmRecalls() {
	s.warm.Store(true)
	s.pool.Reset()
}

// warmUp runs the statements once for nothing, under the settings that they need.
func (s *Store) warmUp(ctx context.Context, c *pgx.Conn) error {
	if !s.warm.Load() {
		return nil
	}
	var b pgx.Batch
	for _, r := range recalling {
		b.Queue(query(r.name), make([]any, r.parameters)...)
	}
	return c.SendBatch(ctx, &b).Close()
}
