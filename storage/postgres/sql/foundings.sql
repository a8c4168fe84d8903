SELECT f.item, f.item_id, f.content_hash, f.content,
    (SELECT v.vector FROM consilience.vector v WHERE v.space = $1 AND v.model = $2 AND v.hash = f.content_hash)
FROM consilience.founding f
WHERE f.space = $1 AND f.item > $3
ORDER BY f.item LIMIT $4
