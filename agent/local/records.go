package local

import (
	"bytes"
	"database/sql"

	"consilience/reason"
	"consilience/record"
)

// AddRecord keeps r with its pairs and the back-references they imply, in this
// transaction. A record that is already here is left alone; the same id with
// other content returns [reason.RecordExists].
func (t *Tx) AddRecord(r record.Record) error {
	var content any // an erased content is null, an empty one is not
	if !r.Erased {
		content = append([]byte{}, r.Content...)
	}
	_, changed, err := t.exec("record_insert", r.ID[:], r.Contributor[:], int(r.Kind), r.ContentHash[:], r.Forward, content)
	if err != nil {
		return err
	}
	if changed == 0 {
		return t.checkSame(r)
	}
	for _, p := range r.Pairs {
		if _, _, err := t.exec("back_reference_insert", p.Record[:], r.ID[:]); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tx) checkSame(r record.Record) error {
	old, _, err := t.Get(r.ID)
	if err != nil {
		return err
	}
	if !bytes.Equal(old.Forward, r.Forward) || !bytes.Equal(old.Content, r.Content) {
		return reason.New(reason.RecordExists, "record is already here with other content")
	}
	return nil
}

// Get returns a record as it is kept, unchecked: checking is what
// [record.Validate] does with it. It implements [record.Source].
func (t *Tx) Get(recordID record.ID) (record.Record, bool, error) {
	var forward, content []byte
	var erased bool // the driver gives nil for an empty content too
	ok, err := t.row("record_get", []any{recordID[:]}, &forward, &content, &erased)
	if err != nil || !ok {
		return record.Record{}, false, err
	}
	if !erased && content == nil {
		content = []byte{}
	}
	return stored(recordID, forward, content), true, nil
}

// BackReferences returns at most limit records that refer to a record. It
// implements [record.Source].
func (t *Tx) BackReferences(recordID record.ID, limit int) ([]record.ID, error) {
	return rows(t, "back_reference_list", []any{recordID[:], limit}, scanRecordID)
}

// stored makes a record of its columns. Its id is the one it is kept under, not
// the hash of what is kept: the difference is what tampering looks like.
func stored(recordID record.ID, forward, content []byte) record.Record {
	r, err := record.DecodeForward(forward)
	if err != nil {
		r = record.Record{Forward: forward}
	}
	r.ID = recordID
	r.Content, r.Erased = content, content == nil
	return r
}

// RecordIDs lists every record, oldest first.
func (t *Tx) RecordIDs() ([]record.ID, error) {
	return rows(t, "record_ids", nil, scanRecordID)
}

// RecordsWithPrefix returns at most two records whose ids lie between low and
// high, for a prefix that a person typed.
func (t *Tx) RecordsWithPrefix(low, high [32]byte) ([]record.ID, error) {
	return rows(t, "record_prefix", []any{low[:], high[:]}, scanRecordID)
}

func scanRecordID(r *sql.Rows) (record.ID, error) {
	b, err := scanID(r)
	return record.ID(b), err
}

func scanID(r *sql.Rows) ([32]byte, error) {
	var b []byte
	if err := r.Scan(&b); err != nil {
		return [32]byte{}, err
	}
	return id(b)
}
