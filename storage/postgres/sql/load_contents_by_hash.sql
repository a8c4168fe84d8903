SELECT n.kind, n.hash, c.item
FROM unnest($2::smallint[], $3::bytea[]) AS n (kind, hash)
CROSS JOIN LATERAL (
    SELECT item FROM consilience.content WHERE space = $1 AND kind = n.kind AND hash = n.hash OFFSET 0) c
