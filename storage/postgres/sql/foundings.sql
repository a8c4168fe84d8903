SELECT i.item, i.item_id, i.content_hash, r.content
FROM consilience.item i
CROSS JOIN LATERAL (
    SELECT content FROM consilience.record WHERE space = i.space AND record = i.item OFFSET 0) r
WHERE i.space = $1 AND i.item > $2 AND i.kind = 0 AND r.content IS NOT NULL
ORDER BY i.item LIMIT $3
