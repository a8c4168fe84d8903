SELECT partition, seq, hash, owner, nullif(seen_at, '-infinity'), stopped
FROM consilience.position WHERE partition = $1
