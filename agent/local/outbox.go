package local

import (
	"database/sql"

	"consilience/delta"
	"consilience/record"
)

// Outgoing is a signed message of the outbox.
type Outgoing struct {
	Sequence uint64
	Delta    delta.ID
	Message  []byte
	Entries  int  // statements in it
	Tried    bool // it was handed to the log, which may have it
}

// NextSequence uses up the next sequence number of a space, from 1. The number is
// spent with the transaction that the message is kept in, never without it.
func (t *Tx) NextSequence(space string) (uint64, error) {
	var n int64
	_, err := t.row("sequence_next", []any{space}, &n)
	return uint64(n), err
}

// Enqueue keeps a signed message until its outcome is known.
func (t *Tx) Enqueue(space string, o Outgoing) error {
	_, _, err := t.exec("outbox_insert", space, int64(o.Sequence), o.Delta[:], o.Message, o.Entries)
	return err
}

// Unpublished returns the messages that the log may not have yet, by sequence.
func (t *Tx) Unpublished(space string) ([]Outgoing, error) {
	return rows(t, "outbox_unpublished", []any{space}, func(r *sql.Rows) (Outgoing, error) {
		var o Outgoing
		var d []byte
		if err := r.Scan(&o.Sequence, &d, &o.Message, &o.Entries, &o.Tried); err != nil {
			return o, err
		}
		err := read(d, &o.Delta)
		return o, err
	})
}

// Open returns the published messages whose outcome is not known, by sequence,
// without their bytes.
func (t *Tx) Open(space string) ([]Outgoing, error) {
	return rows(t, "outbox_open", []any{space}, func(r *sql.Rows) (Outgoing, error) {
		var o Outgoing
		var d []byte
		if err := r.Scan(&o.Sequence, &d); err != nil {
			return o, err
		}
		err := read(d, &o.Delta)
		return o, err
	})
}

// Tried notes that a message is about to be handed to the log.
func (t *Tx) Tried(d delta.ID) error {
	_, _, err := t.exec("outbox_tried", d[:])
	return err
}

// TakeBack drops a message that the log cannot have, and makes its changes unsent
// again. Its sequence number stays spent: others have seen what was signed under it.
func (t *Tx) TakeBack(d delta.ID) error {
	if _, _, err := t.exec("outbox_delete", d[:]); err != nil {
		return err
	}
	return t.Free(d)
}

// Published notes that the log has a message.
func (t *Tx) Published(d delta.ID) error {
	_, _, err := t.exec("outbox_published", d[:])
	return err
}

// Settle keeps the outcome of a message. The first one stands: it reports false
// for a message that is settled or not ours.
func (t *Tx) Settle(d delta.ID, status, why string) (bool, error) {
	_, changed, err := t.exec("outbox_settle", status, why, d[:])
	return changed > 0, err
}

// Free makes the changes of a rejected message unsent again.
func (t *Tx) Free(d delta.ID) error {
	_, _, err := t.exec("sent_free", d[:])
	return err
}

// Waiting counts the messages of a space that are not published, and those whose
// outcome is not known.
func (t *Tx) Waiting(space string) (unpublished, open int, err error) {
	_, err = t.row("outbox_count", []any{space}, &unpublished, &open)
	return unpublished, open, err
}

// Place notes which item of the store a record became part of.
func (t *Tx) Place(space string, recordID record.ID, item record.ItemID) error {
	_, _, err := t.exec("placed_insert", space, recordID[:], item[:])
	return err
}

// Placed returns the item that a record became part of, by space.
func (t *Tx) Placed(recordID record.ID) (map[string]record.ItemID, error) {
	out := map[string]record.ItemID{}
	_, err := rows(t, "placed_get", []any{recordID[:]}, func(r *sql.Rows) (struct{}, error) {
		var space string
		var item []byte
		if err := r.Scan(&space, &item); err != nil {
			return struct{}{}, err
		}
		x, err := id(item)
		out[space] = x
		return struct{}{}, err
	})
	return out, err
}
