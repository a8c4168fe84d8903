UPDATE consilience.position
SET seq = $4, hash = $5, owner = $6, seen_at = clock_timestamp()
WHERE partition = $1 AND seq = $2 AND hash = $3
