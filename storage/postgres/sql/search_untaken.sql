SELECT r.record, r.item, r.kind, CASE WHEN r.kind < 2 AND EXISTS (
    SELECT FROM consilience.content c
    WHERE c.space = r.space AND c.kind = r.kind AND c.hash = r.content_hash AND c.content = r.record) THEN r.content END
FROM consilience.record r
WHERE r.space = $1 AND r.record > $2
ORDER BY r.record LIMIT $3
