package postgres

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// batched are the statements that every batch runs, often.
var batched = regexp.MustCompile(`^(load_|insert_|update_|write_|append_|remove_|records_by_id|position|vectors$|foundings$|foundings_unembedded$|exposed$|recall_erased$|recall_similar$|recall_claim$)`)

// scanned is a step of a plan that reads a space, or a table, to find one row.
var scanned = regexp.MustCompile(`Seq Scan on|Join Filter|Materialize|Hash Cond|Index Cond: \(space = \$1\)|Index Cond: \(record\.space = \$1\)`)

// On a new database, without statistics, every statement of a batch is a look-up by
// key: its plan is kept, and the table does not stay empty.
func TestPlansAreLookUps(t *testing.T) {
	s, _ := openStore(t)
	conn, err := s.pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	checked := 0
	for name, sql := range queries {
		if !batched.MatchString(name) {
			continue
		}
		checked++
		d, err := conn.Conn().Prepare(t.Context(), name, sql)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		nulls := strings.TrimSuffix(strings.Repeat("NULL,", len(d.ParamOIDs)), ",")
		explain := fmt.Sprintf("EXPLAIN EXECUTE %s", name)
		if nulls != "" {
			explain += "(" + nulls + ")"
		}
		rows, err := conn.Query(t.Context(), explain, pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		plan := strings.Join(lines, "\n")
		if bad := scanned.FindString(plan); bad != "" && name != "positions" {
			t.Errorf("%s: %s\n%s", name, bad, plan)
		}
	}
	if checked < 30 {
		t.Errorf("%d statements only", checked)
	}
}
