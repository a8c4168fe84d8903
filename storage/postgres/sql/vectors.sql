SELECT v.hash, v.vector
FROM unnest($3::bytea[]) AS n (hash)
CROSS JOIN LATERAL (
    SELECT hash, vector FROM consilience.vector WHERE space = $1 AND model = $2 AND hash = n.hash OFFSET 0) v
