SELECT i.item_id
FROM consilience.space s
JOIN consilience.content c ON c.space = s.space AND c.kind = $2 AND c.hash = $3
JOIN consilience.item i ON i.space = c.space AND i.item = c.item
WHERE s.name = $1
