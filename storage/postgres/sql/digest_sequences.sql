SELECT c.id, d.sequence
FROM consilience.applied_delta d JOIN consilience.contributor c ON c.contributor = d.contributor
WHERE d.space = $1
ORDER BY c.id, d.sequence
