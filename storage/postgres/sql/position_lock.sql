-- FOR NO KEY UPDATE, not FOR UPDATE: readers of the position are never in the way.
SELECT partition, seq, hash, owner, nullif(seen_at, '-infinity'), stopped
FROM consilience.position WHERE partition = $1
FOR NO KEY UPDATE SKIP LOCKED
