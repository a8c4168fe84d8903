package local

import (
	"database/sql"
	"errors"

	"consilience/delta"
	"consilience/record"
)

// ChangeKind says what a change does to the local state.
type ChangeKind int

// The kinds of change, the three groups of a delta (N-44).
const (
	New      ChangeKind = 1 // a record of our own
	Modified ChangeKind = 2 // a record of our own in place of an item
	Absent   ChangeKind = 3 // an item that is no longer held
)

// Change is one thing that the local state holds beyond the slice.
type Change struct {
	No     int64 // order in which the changes were made
	Space  string
	Kind   ChangeKind
	Record record.ID     // of New and Modified
	Item   record.ItemID // of Modified and Absent
	Value  uint32        // base confidence or strength, ppm
}

// AddChange keeps a change and returns its number.
func (t *Tx) AddChange(c Change) (int64, error) {
	no, _, err := t.exec("change_insert", c.Space, int(c.Kind),
		optional(c.Record, c.Kind != Absent), optional(c.Item, c.Kind != New), int64(c.Value))
	return no, err
}

func optional[T ~[32]byte](v T, present bool) any {
	if !present {
		return nil
	}
	return v[:]
}

// Withdraw takes a change back.
func (t *Tx) Withdraw(no int64) error {
	_, _, err := t.exec("change_withdraw", no)
	return err
}

// Unsent returns the changes that no message to space carries yet, oldest first.
func (t *Tx) Unsent(space string) ([]Change, error) {
	return rows(t, "change_unsent", []any{space}, scanChange)
}

// OfRecord returns the live changes that propose a record, one for each space it
// is for, and whether a message carries one of them.
func (t *Tx) OfRecord(recordID record.ID) (changes []Change, sent bool, err error) {
	all, err := rows(t, "change_of_record", []any{recordID[:]}, scanStated)
	for _, c := range all {
		changes, sent = append(changes, c.Change), sent || c.Sent
	}
	return changes, sent, err
}

// UnsentOfItem returns the changes to an item that no message carries yet.
func (t *Tx) UnsentOfItem(item record.ItemID) ([]Change, error) {
	return rows(t, "change_of_item", []any{item[:]}, scanChange)
}

// Stated is a live change that states a content.
type Stated struct {
	Change
	Sent bool // a message carries it
}

// Stating returns the newest live change that states a content to space.
func (t *Tx) Stating(content record.Content, space string) (Stated, bool, error) {
	all, err := rows(t, "change_of_content", []any{content.Hash[:], int(content.Kind), space}, scanStated)
	if err != nil || len(all) == 0 {
		return Stated{}, false, err
	}
	return all[0], true, nil
}

// AllStated returns, for each content that is stated to space, what
// [Tx.Stating] does.
func (t *Tx) AllStated(space string) (map[record.Content]Stated, error) {
	out := map[record.Content]Stated{}
	_, err := rows(t, "change_stated", []any{space}, func(r *sql.Rows) (struct{}, error) {
		var content record.Content
		var hash []byte
		var s Stated
		var err error
		s.Change, err = scanColumns(r, []any{&content.Kind, &hash}, &s.Sent)
		if err == nil {
			err = read(hash, &content.Hash)
		}
		out[content] = s
		return struct{}{}, err
	})
	return out, err
}

// UnsentReferrer returns an unsent record of our own that refers to a record.
func (t *Tx) UnsentReferrer(recordID record.ID) (referrer record.ID, found bool, err error) {
	var b []byte
	if found, err = t.row("referrer_unsent", []any{recordID[:]}, &b); err != nil || !found {
		return record.ID{}, false, err
	}
	x, err := id(b)
	return record.ID(x), true, err
}

// Held returns the records of our own that the local state holds, each once,
// oldest first.
func (t *Tx) Held() ([]Change, error) {
	return rows(t, "change_held", nil, scanChange)
}

// MarkSent notes that a message to space carries a change.
func (t *Tx) MarkSent(space string, no int64, d delta.ID) error {
	_, _, err := t.exec("sent_insert", space, no, d[:])
	return err
}

func scanStated(r *sql.Rows) (s Stated, err error) {
	s.Change, err = scanColumns(r, nil, &s.Sent)
	return s, err
}

func scanChange(r *sql.Rows) (Change, error) { return scanColumns(r, nil) }

// scanColumns reads a change and the columns before and after it.
func scanColumns(r *sql.Rows, before []any, after ...any) (Change, error) {
	var c Change
	var recordID, item []byte
	dest := append(append([]any{}, before...), &c.No, &c.Space, &c.Kind, &recordID, &item, &c.Value)
	if err := r.Scan(append(dest, after...)...); err != nil {
		return c, err
	}
	var err error
	if c.Kind != Absent {
		err = read(recordID, &c.Record)
	}
	if c.Kind != New {
		err = errors.Join(err, read(item, &c.Item))
	}
	return c, err
}
