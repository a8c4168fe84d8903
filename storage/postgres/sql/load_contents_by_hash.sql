SELECT c.kind, c.hash, c.item
FROM unnest($2::smallint[], $3::bytea[]) AS n (kind, hash)
JOIN consilience.content c ON c.space = $1 AND c.kind = n.kind AND c.hash = n.hash
