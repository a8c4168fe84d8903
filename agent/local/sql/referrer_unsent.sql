-- An unsent record of ours that refers to the given one.
SELECT b.later_id FROM back_reference b JOIN change c ON c.record_id = b.later_id
WHERE b.record_id = ? AND c.withdrawn = 0
  AND NOT EXISTS (SELECT 1 FROM sent s WHERE s.change = c.change)
LIMIT 1;
