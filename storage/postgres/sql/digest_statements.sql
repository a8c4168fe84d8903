SELECT i.item_id, c.id, s.sequence, s.place, s.seq, s.side, s.value, s.reputation, s.depth, s.proven, s.echo, r.record_id,
    coalesce(r.kind, 0), r.content_hash
FROM consilience.statement s
JOIN consilience.item i ON i.space = s.space AND i.item = s.item
JOIN consilience.contributor c ON c.contributor = s.contributor
LEFT JOIN consilience.record r ON r.space = s.space AND r.record = s.record
WHERE s.space = $1
ORDER BY i.item_id, c.id, s.sequence, s.place
