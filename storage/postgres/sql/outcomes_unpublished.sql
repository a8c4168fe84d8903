SELECT seq, contributor, body, at FROM consilience.outcome
WHERE partition = $1 AND NOT published ORDER BY seq LIMIT $2
