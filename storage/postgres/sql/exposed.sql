SELECT n.kind, n.hash
FROM unnest($3::smallint[], $4::bytea[]) AS n (kind, hash)
CROSS JOIN LATERAL (
    SELECT FROM consilience.exposure e
    WHERE e.space = $1 AND e.root = (SELECT c.root FROM consilience.contributor c WHERE c.contributor = $2)
        AND e.kind = n.kind AND e.hash = n.hash AND e.contributor = $2 OFFSET 0) e
