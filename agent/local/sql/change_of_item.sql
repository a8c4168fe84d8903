-- Live changes to an item that no message carries yet.
SELECT c.change, c.space, c.kind, c.record_id, c.item_id, c.value
FROM change c
WHERE c.item_id = ? AND c.withdrawn = 0
  AND NOT EXISTS (SELECT 1 FROM sent s WHERE s.change = c.change)
ORDER BY c.change;
