SELECT l.record_id
FROM consilience.space s
JOIN consilience.record r ON ('rec:' || consilience.b64(r.record_id)) COLLATE "C" = $2 AND r.space = s.space
JOIN consilience.back_reference b ON b.space = r.space AND b.record = r.record
JOIN consilience.record l ON l.space = b.space AND l.record = b.later
WHERE s.name = $1
ORDER BY b.later LIMIT $3
