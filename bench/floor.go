package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"consilience/migrations"
)

// floorTables are the tables that a new item leaves rows in, with the column that
// puts the rows of one delta together.
var floorTables = []struct{ name, order string }{
	{"applied_delta", "seq"}, {"item", "item"}, {"claim", "item"}, {"record", "record"}, {"content", "content"}, {"statement", "item, seq"},
	{"holder", "content"}, {"outcome", "seq"},
}

// columns are the rows of one table, a typed slice for each column, ready to be
// sent as arrays.
type columns struct {
	insert string
	data   []column
	rows   int
}

// floor measures what unnest inserts of the same rows into the same tables reach
// on one connection, 500 items a transaction, in an empty database of the same
// server, and prints the ratio.
func (w *world) floor(ctx context.Context, cfg config, rate float64) error {
	tables := make([]columns, len(floorTables))
	for i, t := range floorTables {
		var err error
		if tables[i], err = w.rowsOf(ctx, t.name, t.order, cfg.sample); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	if err := w.pg.CreateDatabase(ctx, "floor"); err != nil {
		return err
	}
	if _, err := migrations.Migrate(ctx, w.pg.URL("floor"), migrations.Latest); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, w.pg.URL("floor"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	const itemsInBatch = 500
	items := tables[1].rows
	batches := max(1, items/itemsInBatch)
	began := time.Now()
	for n := range batches {
		if err := insertShare(ctx, conn, tables, n, batches); err != nil {
			return err
		}
	}
	reached := float64(items) / time.Since(began).Seconds()
	fmt.Printf("floor, unnest inserts of the same rows, one connection: %.0f items/s; ratio %.2f (wanted: 0.40)\n", reached, rate/reached)
	return nil
}

// insertShare inserts the n-th of batches equal shares of every table in one
// transaction and one round trip a table.
func insertShare(ctx context.Context, conn *pgx.Conn, tables []columns, n, batches int) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		b := &pgx.Batch{}
		for _, t := range tables {
			from, to := t.rows*n/batches, t.rows*(n+1)/batches
			if from == to {
				continue
			}
			args := make([]any, len(t.data))
			for i, c := range t.data {
				args[i] = c.part(from, to)
			}
			b.Queue(t.insert, args...)
		}
		return tx.SendBatch(ctx, b).Close()
	})
}

// rowsOf reads at most limit rows of a table.
func (w *world) rowsOf(ctx context.Context, table, order string, limit int) (columns, error) {
	rows, err := w.pool.Query(ctx, fmt.Sprintf("SELECT * FROM consilience.%s ORDER BY space, %s LIMIT %d", table, order, limit))
	if err != nil {
		return columns{}, err
	}
	defer rows.Close()
	var c columns
	var names, casts []string
	targets := []any{}
	for i, f := range rows.FieldDescriptions() {
		col, err := columnOf(f.DataTypeOID)
		if err != nil {
			return c, fmt.Errorf("%s: %w", f.Name, err)
		}
		c.data = append(c.data, col)
		targets = append(targets, col.target())
		names = append(names, `"`+f.Name+`"`)
		casts = append(casts, fmt.Sprintf("$%d::%s[]", i+1, col.sqlType()))
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return c, err
		}
		for _, col := range c.data {
			col.keep()
		}
		c.rows++
	}
	c.insert = fmt.Sprintf("INSERT INTO consilience.%s (%s) SELECT * FROM unnest(%s) ON CONFLICT DO NOTHING",
		table, strings.Join(names, ", "), strings.Join(casts, ", "))
	return c, rows.Err()
}
