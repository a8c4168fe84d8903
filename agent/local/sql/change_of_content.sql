-- Live changes of ours that state a content to the space or to every space, newest first.
SELECT c.change, c.space, c.kind, c.record_id, c.item_id, c.value,
       EXISTS (SELECT 1 FROM sent s WHERE s.change = c.change)
FROM record r JOIN change c ON c.record_id = r.record_id
WHERE r.content_hash = ? AND r.kind = ? AND c.withdrawn = 0 AND c.space IN ('', ?)
ORDER BY c.change DESC;
