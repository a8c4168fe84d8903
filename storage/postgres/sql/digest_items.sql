SELECT i.item_id, i.founded, i.kind, i.content_hash, i.key_hash, i.value_hash, i.confidence, i.support, i.doubt, i.groups, i.status,
    i.verdict, r.record_id
FROM consilience.item i JOIN consilience.record r ON r.space = i.space AND r.record = i.head
WHERE i.space = $1
ORDER BY i.item_id
