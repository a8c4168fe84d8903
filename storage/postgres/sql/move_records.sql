-- After move_statements: the records are those that the moved statements propose.
UPDATE consilience.record r SET item = m."to"
FROM unnest($2::smallint[], $3::bytea[], $4::bigint[], $5::bigint[]) AS m (kind, hash, "from", "to"), consilience.statement s
WHERE s.space = $1 AND s.item = m."to" AND s.record <> 0
  AND r.space = $1 AND r.record = s.record AND r.kind = m.kind AND r.content_hash = m.hash AND r.item <> m."to"
