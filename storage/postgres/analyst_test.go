package postgres

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"consilience/command"
	"consilience/internal/testkit"
	"consilience/record"
)

// story is the history that docs/sql.md asks about: a week from Monday,
// 2026-11-02. Ann and bob are vouched for, cyd is a newcomer, mallory poisons
// through a child, dan builds on the poison.
func story(t *testing.T) *world {
	w := newWorld(t)
	vouched := func(e *command.Enroll) { e.Vouched = true }
	w.enroll("ann", vouched)
	w.enroll("bob", vouched)
	w.enroll("cyd")
	w.enroll("dan")
	w.enroll("mallory")
	w.derive("mallory-2", "mallory")
	right := w.by("ann").claims("Flight-1208", "17:05", 900_000).send()[0]
	poison := w.by("mallory").says("Gate 4 is never locked", 1_000_000).send()[0]
	w.by("mallory-2").says("Gate 4 is never locked", 1_000_000).says("Bob lies", 900_000).send()

	w.time = start + day + 60_000 // Tuesday
	w.by("bob").claims("Flight-1208", "17:05", 800_000).send()
	w.by("mallory").claims("flight-1208 ", "18:40", 1_000_000).send()
	w.served("cyd", right.Is(), poison.Is())

	w.time = start + 2*day // Wednesday
	w.by("cyd").claims("Flight-1208", "17:05", 950_000).send()
	w.by("bob").says("The cat is asleep", 500_000).send()
	w.confirm(right.ID)
	d := w.by("dan")
	d.propose(w.record("dan", record.Text, "Gate 4 opens at dawn", poison), 700_000).send()
	d = w.by("dan")
	d.delta.Sequence = 1 // used by another delta
	d.says("never merged", 100_000).send()

	w.time = start + 3*day // Thursday
	w.quarantine("mallory", 0, false)
	return w
}

// question is one query of docs/sql.md.
type question struct{ title, sql string }

var heading = regexp.MustCompile("(?s)\n## ([^\n]+)\n(.*?)```sql\n(.*?)```")

func questions(t *testing.T) []question {
	text, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs", "sql.md"))
	if err != nil {
		t.Fatal(err)
	}
	var all []question
	for _, m := range heading.FindAllStringSubmatch(string(text), -1) {
		all = append(all, question{m[1], m[3]})
	}
	if fences := strings.Count(string(text), "```sql"); fences != len(all) {
		t.Fatalf("%d queries in docs/sql.md, %d of them below a question", fences, len(all))
	}
	return all
}

// answers are rows of the story that each question's answer has to begin with,
// the named columns only.
var answers = map[string][]string{
	"Who said it?": {
		"contributor_name=ann stance=support base=0.900000 reputation=0.533333 effective=0.479999",
		"contributor_name=bob base=0.800000 effective=0.426666",
		"contributor_name=cyd effective=0.285000",
	},
	"Who agreed, and did it count?": {
		`claim_value="17:05" contributor_name=ann counted=true why_not_counted=NULL`,
		`claim_value="17:05" contributor_name=bob counted=true`,
		`claim_value="17:05" contributor_name=cyd counted=false why_not_counted=echo`,
		`claim_value="18:40" contributor_name=mallory counted=false why_not_counted=masked`,
	},
	"What would change if mallory fell?": {
		"then=falls", "then=falls", "then=falls",
	},
	"What did we believe on Tuesday?": {
		`claim_value="17:05" confidence=0.701865`,
		`claim_value="18:40" confidence=0.301745`,
	},
	"Why did this number move?": {
		"before=0.000000 after=0.479999 cause=delta",
		"before=0.479999 after=0.701865 cause=delta",
	},
	"Whose confirmations moved whose reputation?": {
		"contributor=ann kind=confirm before=0.541734 after=0.600000 reason=seen",
		"contributor=bob kind=confirm",
	},
	"What is contested?": {},
	"What rests on one lineage alone?": {
		"content=The cat is asleep", "content=Gate 4 opens at dawn",
	},
	"What may be relied on now?": {
		`content={"predicate":"arrives","subject":"Flight-1208","value":"17:05"} groups=2 status=confirmed`,
	},
	"Which messages were refused, and why?": {"reason=sequence_reused messages=1"},
	"What is tainted?":                      {"content=Gate 4 opens at dawn proposer=dan direct_references=1"},
	"What does a record rest on?": {
		"depth=0 author=dan author_is=active content=Gate 4 opens at dawn",
		"depth=1 author=mallory author_is=quarantined content=Gate 4 is never locked",
	},
	"Who only repeats what it was told?":    {"contributor_name=cyd echoes=1 statements=1"},
	"Who was told what is quarantined now?": {"name=cyd content=Gate 4 is never locked how=projection"},
	"What did operators do, and what came of it?": {
		"kind=confirm reason=seen", "kind=quarantine reason=poisons",
	},
	"Whose word weighs most?": {"contributor_name=bob reputation=0.600570 confirmed=3 proven=true locked=false"},
}

// Every query of docs/sql.md runs as the analysts' role and answers right.
func TestAnalystQuestions(t *testing.T) {
	w := story(t)
	s, db := openStore(t)
	w.fill(s, 1000)
	for _, q := range questions(t) {
		t.Run(q.title, func(t *testing.T) {
			want, ok := answers[q.title]
			if !ok {
				t.Fatal("no answer is written down")
			}
			got := ask(t, db, q.sql)
			if len(got) < len(want) || len(want) == 0 && len(got) > 0 {
				t.Fatalf("%d rows, want %d:\n%s", len(got), len(want), strings.Join(got, "\n"))
			}
			for i, line := range want {
				for _, field := range fields(line) {
					if !strings.Contains(" "+got[i]+" ", " "+field+" ") {
						t.Errorf("row %d lacks %s:\n%s", i, field, strings.Join(got, "\n"))
					}
				}
			}
		})
	}
}

var fieldStart = regexp.MustCompile(` [a-z_]+=`)

// fields splits "a=1 b=x y" into "a=1" and "b=x y".
func fields(line string) []string {
	var out []string
	at := 0
	for _, m := range fieldStart.FindAllStringIndex(line, -1) {
		out = append(out, line[at:m[0]])
		at = m[0] + 1
	}
	return append(out, line[at:])
}

// ask runs a query as memory_analyst; each row is "column=value column=value".
func ask(t testing.TB, db *testkit.DB, sql string) []string {
	t.Helper()
	var out []string
	err := pgx.BeginFunc(t.Context(), db.Pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "SET LOCAL ROLE memory_analyst"); err != nil {
			return err
		}
		rows, err := tx.Query(t.Context(), sql, pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			return err
		}
		for rows.Next() {
			var line []string
			for i, f := range rows.FieldDescriptions() {
				line = append(line, f.Name+"="+shown(rows.RawValues()[i], f.DataTypeOID))
			}
			out = append(out, strings.Join(line, " "))
		}
		return rows.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const boolOID = 16

func shown(raw []byte, oid uint32) string {
	switch {
	case raw == nil:
		return "NULL"
	case oid == boolOID:
		return map[string]string{"t": "true", "f": "false"}[string(raw)]
	}
	return string(raw)
}

// The analysts' role reads the views and nothing else, and every view and column
// says what it means (interfaces.md).
func TestViewsAreDescribed(t *testing.T) {
	_, db := openStore(t)
	rows, err := db.Pool.Query(t.Context(), `
		SELECT c.relname || coalesce('.' || a.attname, '')
		FROM pg_class c
		JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname IN ('memory', 'consilience')
		LEFT JOIN LATERAL (SELECT attname, attnum FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped
		                   UNION ALL SELECT NULL, 0) a ON true
		WHERE c.relkind IN ('v', 'r', 'p') AND NOT c.relispartition AND col_description(c.oid, a.attnum) IS NULL
		  AND (a.attnum > 0 OR obj_description(c.oid) IS NULL) AND NOT (c.relname = 'item_now' AND a.attnum > 0)`)
	if err != nil {
		t.Fatal(err)
	}
	bare, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(bare) > 0 {
		t.Errorf("without a comment: %v %v", bare, err)
	}
}

// interfaces.md "SQL for analysts", column by column.
var promised = map[string]string{
	"items":              "space, item_id, kind, content, confidence, belief, authoritative, status, supporters, doubters, proposer, revises, tainted, claim_subject, claim_predicate, claim_value, created_at, updated_at, revision",
	"provenance":         "space, item_id, contributor, contributor_name, stance, counted, why_not_counted, base, reputation, depth, effective, record_id, delta_id, at",
	"lineage":            "contributor, ancestor, distance",
	"contributors":       "contributor, name, status, parents, depth, enrolled_at, retired_at, quarantined_by",
	"reputations":        "space, contributor, reputation, policy, confirmed, contradicted, corroborated, accepted, proven",
	"reputation_history": "space, contributor, at, before, after, cause, cause_id",
	"confidence_history": "space, item_id, revision, at, before, after, cause, cause_id",
	"records":            "space, record_id, item_id, contributor, kind, content_hash, canonical_form, refs, written_at",
	"rivals":             "space, item_id, other_id, why",
	"related":            "space, item_id, other_id, why",
	"back_references":    "space, record_id, later_record_id, later_content_hash",
	"exposures":          "space, contributor, item_id, first_served_at, how",
	"commands":           "command_id, kind, signer, target, reason, at, effect",
	"rejections":         "stream_seq, subject, reason, detail, at",
}

func TestAnalystReadsViewsOnly(t *testing.T) {
	_, db := openStore(t)
	for view, columns := range promised {
		ask(t, db, fmt.Sprintf("SELECT %s FROM memory.%s", columns, view))
	}
	var numbers []string
	for _, row := range ask(t, db, `SELECT table_name, column_name, numeric_precision, numeric_scale FROM information_schema.columns
		WHERE table_schema = 'memory' AND data_type = 'numeric'`) {
		if !strings.HasSuffix(row, "numeric_precision=7 numeric_scale=6") {
			numbers = append(numbers, row)
		}
	}
	if len(numbers) > 0 {
		t.Errorf("not numeric(7,6): %v", numbers)
	}
	for _, forbidden := range []string{
		"SELECT * FROM consilience.item", "DELETE FROM memory.items", "CREATE TABLE memory.t (a int)", "SELECT * FROM consilience_migrations",
	} {
		_, err := db.Pool.Exec(t.Context(), "SET ROLE memory_analyst; "+forbidden, pgx.QueryExecModeSimpleProtocol)
		if err == nil {
			t.Errorf("the analysts' role may: %s", forbidden)
		}
		db.Pool.Reset()
	}
}

// The look-ups that analysts make most are served by an index.
func TestViewsUseIndexes(t *testing.T) {
	_, db := openStore(t)
	for where, index := range map[string]string{
		"memory.items WHERE space = 'ops' AND item_id = 'item:x'":              "item_shown",
		"memory.items WHERE space = 'ops' AND claim_subject = 'x'":             "item_claim_subject",
		"memory.records WHERE space = 'ops' AND record_id = 'rec:x'":           "record_shown",
		"memory.provenance WHERE space = 'ops' AND item_id = 'item:x'":         "item_shown",
		"memory.confidence_history WHERE space = 'ops' AND item_id = 'item:x'": "item_shown",
	} {
		var plan []string
		err := pgx.BeginFunc(t.Context(), db.Pool, func(tx pgx.Tx) error {
			// An empty table would be read whole.
			if _, err := tx.Exec(t.Context(), "SET LOCAL enable_seqscan = off"); err != nil {
				return err
			}
			rows, err := tx.Query(t.Context(), "EXPLAIN SELECT * FROM "+where, pgx.QueryExecModeSimpleProtocol)
			if err != nil {
				return err
			}
			plan, err = pgx.CollectRows(rows, pgx.RowTo[string])
			return err
		})
		text := strings.Join(plan, "\n")
		if err != nil || !strings.Contains(text, "Index Scan using "+index) && !strings.Contains(text, "Index Scan on "+index) {
			t.Errorf("%s does not use %s: %v\n%s", where, index, err, text)
		}
	}
}
