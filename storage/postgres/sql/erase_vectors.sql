DELETE FROM consilience.vector v USING unnest($2::smallint[], $3::bytea[]) AS e (kind, hash)
WHERE v.space = $1 AND e.kind = 0 AND v.hash = e.hash
