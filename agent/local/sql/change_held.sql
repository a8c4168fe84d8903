-- The records of our own that the local state holds, each once, oldest first.
SELECT min(c.change), c.space, c.kind, c.record_id, c.item_id, c.value
FROM change c
WHERE c.withdrawn = 0 AND c.record_id IS NOT NULL
GROUP BY c.record_id
ORDER BY 1;
