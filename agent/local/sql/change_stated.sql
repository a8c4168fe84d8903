-- Live changes that propose a record to the space or to every space, oldest first,
-- with the content that the record states.
SELECT r.kind, r.content_hash,
       c.change, c.space, c.kind, c.record_id, c.item_id, c.value,
       EXISTS (SELECT 1 FROM sent s WHERE s.change = c.change)
FROM change c JOIN record r ON r.record_id = c.record_id
WHERE c.withdrawn = 0 AND c.space IN ('', ?)
ORDER BY c.change;
