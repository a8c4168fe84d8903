-- Heads of a slice whose record is not here yet.
SELECT e.item_id, e.head, e.content_hash, e.confidence FROM slice_entry e
WHERE e.space = ? AND NOT EXISTS (SELECT 1 FROM record r WHERE r.record_id = e.head)
ORDER BY e.item_id;
