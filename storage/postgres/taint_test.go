package postgres

import (
	"context"

	"consilience/merge"
)

// checkTaint holds the taint of every record against its definition: it refers, at
// any depth and not to correct it, to a record that a quarantine in force masks.
func (w *world) checkTaint(ctx context.Context, s *Store, plan *merge.Plan) {
	w.t.Helper()
	v := w.fleet.At(w.seq + 1).Lineage()
	bad := map[merge.RecordNo]bool{}
	masked := map[merge.RecordNo]bool{}
	for _, r := range plan.NewRecords {
		masked[r.No] = v.Masked(r.RecordState.Contributor, r.Seq)
	}
	// References name earlier records: one pass in log order.
	for _, r := range plan.NewRecords {
		for _, b := range plan.BackReferences {
			if b.Later == r.No && !b.Corrects && (masked[b.Record] || bad[b.Record]) {
				bad[r.No] = true
			}
		}
	}
	rows, err := s.pool.Query(ctx, "SELECT record, tainted FROM consilience.record")
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var no int64
		var tainted bool
		if err := rows.Scan(&no, &tainted); err != nil {
			w.t.Fatal(err)
		}
		if tainted != bad[merge.RecordNo(no)] {
			w.t.Errorf("record %d tainted: %v, by definition %v", no, tainted, bad[merge.RecordNo(no)])
		}
	}
}
