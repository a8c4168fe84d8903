SELECT n.root, n.kind, n.hash, e.seq
FROM unnest($2::int[], $3::smallint[], $4::bytea[]) AS n (root, kind, hash)
CROSS JOIN LATERAL (
    SELECT min(seq) AS seq FROM consilience.exposure WHERE space = $1 AND root = n.root AND kind = n.kind AND hash = n.hash) e
WHERE e.seq IS NOT NULL
