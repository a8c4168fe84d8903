SELECT DISTINCT ON (o.delta_id) o.body
FROM unnest($3::bytea[]) AS n (delta_id)
JOIN consilience.outcome o ON o.delta_id = n.delta_id AND o.contributor = $2
JOIN consilience.space s ON s.space = o.space AND s.name = $1
ORDER BY o.delta_id, o.status <> 'merged', o.status = 'duplicate', o.seq DESC
