SELECT c.id, r.r0, r.confirmed, r.contradicted, r.corroborated, r.accepted, r.judged, r.locks, r.locked_for, r.averages
FROM consilience.reputation r JOIN consilience.contributor c ON c.contributor = r.contributor
WHERE r.space = $1
ORDER BY c.id
