SELECT i.item_id, r.record_id, r.content_hash, i.confidence
FROM consilience.item_now i
JOIN consilience.record r ON r.space = i.space AND r.record = i.head
WHERE i.space = $1 AND i.verdict <> 2 AND NOT i.fallen AND NOT r.erased
