SELECT e.kind, e.hash
FROM unnest($3::smallint[], $4::bytea[]) AS n (kind, hash)
JOIN consilience.contributor c ON c.contributor = $2
JOIN consilience.exposure e ON e.space = $1 AND e.root = c.root AND e.kind = n.kind AND e.hash = n.hash AND e.contributor = $2
