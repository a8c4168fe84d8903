SELECT i.item, i.kind = 0 AND (v.vector IS NOT NULL OR (SELECT erased FROM consilience.content WHERE space = $1 AND kind = i.kind AND hash = i.content_hash) IS FALSE), v.vector
FROM (SELECT item, kind, content_hash FROM consilience.item WHERE space = $1 AND item > $3 ORDER BY item LIMIT $4) i
LEFT JOIN consilience.vector v ON v.space = $1 AND v.model = $2 AND v.hash = i.content_hash AND i.kind = 0
