UPDATE consilience.content c SET erased = true
FROM unnest($2::smallint[], $3::bytea[]) AS e (kind, hash)
WHERE c.space = $1 AND c.kind = e.kind AND c.hash = e.hash
