-- A text that was erased has no embedding.
SELECT i.item, i.kind = 0 AND (v.vector IS NOT NULL OR (SELECT erased FROM consilience.content WHERE space = $1 AND kind = i.kind AND hash = i.content_hash) IS FALSE), v.vector
FROM (SELECT item, kind, content_hash FROM consilience.item WHERE space = $1 AND item > $3 ORDER BY item LIMIT $4) i
LEFT JOIN LATERAL (SELECT vector FROM consilience.vector WHERE space = $1 AND model = $2 AND hash = i.content_hash AND i.kind = 0 OFFSET 0) v ON true
ORDER BY i.item
