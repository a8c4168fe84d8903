SELECT partition, seq, hash, owner, nullif(seen_at, '-infinity'), stopped
FROM consilience.position ORDER BY partition
