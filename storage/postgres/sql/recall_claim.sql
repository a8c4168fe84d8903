SELECT c.item FROM consilience.claim c
WHERE c.space = $1 AND c.key_hash = $2
ORDER BY c.confidence DESC, c.item LIMIT $3
