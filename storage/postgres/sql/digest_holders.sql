SELECT k.kind, k.hash, c.id, g.id, coalesce(o.origin, ''), h.credit, h.corroborated, h.blamed
FROM consilience.holder h
JOIN consilience.content k ON k.space = h.space AND k.content = h.content
JOIN consilience.contributor c ON c.contributor = h.contributor
LEFT JOIN consilience.contributor g ON g.contributor = h."group"
LEFT JOIN consilience.origin o ON o.origin_group = h."group"
WHERE h.space = $1
ORDER BY k.kind, k.hash, c.id
