SELECT r.seq, coalesce(s.name, ''), r.subject, r.hash, r.reason, r.detail, consilience.at(r.at), coalesce(r.requeued_as, 0)
FROM consilience.rejection r LEFT JOIN consilience.space s ON s.space = r.space
WHERE $1 = '' OR s.name = $1
ORDER BY r.seq DESC LIMIT $2
