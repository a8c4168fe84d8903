-- The live change that a record of ours stands for, and whether any message carries it.
SELECT c.change, c.space, c.kind, c.record_id, c.item_id, c.value,
       EXISTS (SELECT 1 FROM sent s WHERE s.change = c.change)
FROM change c
WHERE c.record_id = ? AND c.withdrawn = 0;
