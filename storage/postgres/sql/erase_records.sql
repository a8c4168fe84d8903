UPDATE consilience.record r SET content = NULL, erased = true
FROM unnest($2::smallint[], $3::bytea[]) AS e (kind, hash)
JOIN consilience.content c ON c.space = $1 AND c.kind = e.kind AND c.hash = e.hash
JOIN consilience.statement s ON s.space = $1 AND s.item = c.item AND s.record <> 0
WHERE r.space = $1 AND r.record = s.record AND r.kind = e.kind AND r.content_hash = e.hash
