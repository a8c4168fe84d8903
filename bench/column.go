package main

import (
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgtype"
)

// column is one column of the rows of the floor, kept in the type that pgx sends
// in binary.
type column interface {
	target() any           // where Scan puts the next value
	keep()                 // adds the value that was scanned
	part(from, to int) any // some of the values, as an array argument
	sqlType() string
}

type typed[T any] struct {
	name   string
	next   *T
	values []*T
}

func (t *typed[T]) target() any           { return &t.next }
func (t *typed[T]) keep()                 { t.values = append(t.values, t.next) }
func (t *typed[T]) part(from, to int) any { return t.values[from:to] }
func (t *typed[T]) sqlType() string       { return t.name }

// raw is a bytea column: nil is null already.
type raw struct {
	next   []byte
	values [][]byte
}

func (r *raw) target() any           { return &r.next }
func (r *raw) keep()                 { r.values = append(r.values, r.next) }
func (r *raw) part(from, to int) any { return r.values[from:to] }
func (r *raw) sqlType() string       { return "bytea" }

// columnOf returns an empty column of a Postgres type.
func columnOf(oid uint32) (column, error) {
	switch oid {
	case pgtype.ByteaOID:
		return &raw{}, nil
	case pgtype.Int8OID:
		return &typed[int64]{name: "bigint"}, nil
	case pgtype.Int4OID:
		return &typed[int32]{name: "int"}, nil
	case pgtype.Int2OID:
		return &typed[int16]{name: "smallint"}, nil
	case pgtype.BoolOID:
		return &typed[bool]{name: "bool"}, nil
	case pgtype.TextOID:
		return &typed[string]{name: "text"}, nil
	case pgtype.TimestamptzOID:
		return &typed[time.Time]{name: "timestamptz"}, nil
	}
	return nil, fmt.Errorf("no column of type %d", oid)
}
