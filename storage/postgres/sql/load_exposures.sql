SELECT e.root, e.kind, e.hash, min(e.seq)
FROM unnest($2::int[], $3::smallint[], $4::bytea[]) AS n (root, kind, hash)
JOIN consilience.exposure e ON e.space = $1 AND e.root = n.root AND e.kind = n.kind AND e.hash = n.hash
GROUP BY e.root, e.kind, e.hash
