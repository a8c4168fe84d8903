SELECT c.id, e.kind, e.hash, min(e.seq)
FROM consilience.exposure e JOIN consilience.contributor c ON c.contributor = e.root
WHERE e.space = $1
GROUP BY c.id, e.kind, e.hash
ORDER BY c.id, e.kind, e.hash
