-- Live changes that no message to the space carries yet, oldest first.
SELECT c.change, c.space, c.kind, c.record_id, c.item_id, c.value
FROM change c
WHERE c.withdrawn = 0 AND c.space IN ('', ?1)
  AND NOT EXISTS (SELECT 1 FROM sent s WHERE s.space = ?1 AND s.change = c.change)
ORDER BY c.change;
