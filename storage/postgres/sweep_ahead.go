package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"consilience/merge"
)

// secondWait is how long a sweep waits for a second connection before it goes on
// without: all may be held by transactions that wait for one as well.
const secondWait = 100 * time.Millisecond

// second begins a transaction that reads what this one would, on another
// connection, or returns nil. Nobody but the holder of the position row writes the
// items of a space, so what is committed is what there is until this transaction
// writes.
func (t *Tx) second(ctx context.Context, space int32) pgx.Tx {
	if t.pool == nil || t.wrote[space] {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, secondWait)
	defer cancel()
	tx, err := t.pool.BeginTx(ctx, pgx.TxOptions{AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil
	}
	return tx
}

// readAhead reads chunk by chunk with the cursor and calls each with what was read,
// meanwhile. It returns when the cursor is at its end and each has returned.
func (t *Tx) readAhead(ctx context.Context, c *cursor, each func([]*merge.Item) error) error {
	ctx, cancel := context.WithCancel(ctx)
	ahead := make(chan []*merge.Item)
	var failed error
	go func() {
		defer close(ahead)
		failed = c.feed(ctx, t.beat, ahead)
	}()
	defer func() {
		cancel()
		for range ahead { // until the reader has ended
		}
	}()
	pulse := time.NewTicker(t.beat)
	defer pulse.Stop()
	for {
		select {
		case items, more := <-ahead:
			if !more {
				return failed
			}
			if err := each(items); err != nil {
				return err
			}
		case <-pulse.C:
			if err := t.tx.Conn().Ping(ctx); err != nil {
				return err
			}
		}
	}
}

// feed sends the chunks of a cursor until its end, and while it waits to, shows
// every beat that the owner of the connection lives.
func (c *cursor) feed(ctx context.Context, beat time.Duration, to chan<- []*merge.Item) error {
	pulse := time.NewTicker(beat)
	defer pulse.Stop()
	for {
		items, err := c.next(ctx)
		if err != nil || len(items) == 0 {
			return err
		}
		for sent := false; !sent; {
			select {
			case to <- items:
				sent = true
			case <-pulse.C:
				if err := c.tx.Conn().Ping(ctx); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
}
