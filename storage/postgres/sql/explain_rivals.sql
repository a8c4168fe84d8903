SELECT r.other_id, r.why, coalesce(i.content, ''), i.confidence::text
FROM memory.rivals r JOIN memory.items i ON i.space = r.space AND i.item_id = r.other_id
WHERE r.space = $1 AND r.item_id = $2
ORDER BY i.confidence DESC, r.other_id
