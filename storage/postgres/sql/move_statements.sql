-- The supports of a split content go with it to its new item.
UPDATE consilience.statement s SET item = m."to"
FROM unnest($2::smallint[], $3::bytea[], $4::bigint[], $5::bigint[]) AS m (kind, hash, "from", "to"), consilience.record r
WHERE s.space = $1 AND s.item = m."from" AND s.record <> 0
  AND r.space = $1 AND r.record = s.record AND r.kind = m.kind AND r.content_hash = m.hash
