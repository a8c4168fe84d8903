-- The look for a vector is no join, so that the planner cannot make it one of all vectors.
SELECT f.item, f.item_id, f.content_hash, f.content, NULL::bytea
FROM consilience.founding f
WHERE f.space = $1 AND f.item > $3
    AND (SELECT true FROM consilience.vector v WHERE v.space = $1 AND v.model = $2 AND v.hash = f.content_hash) IS NULL
ORDER BY f.item LIMIT $4
