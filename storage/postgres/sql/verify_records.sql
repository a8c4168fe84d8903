SELECT record, record_id, contributor, seq, erased, forward, content
FROM consilience.record WHERE space = $1 AND record > $2
ORDER BY record LIMIT $3
