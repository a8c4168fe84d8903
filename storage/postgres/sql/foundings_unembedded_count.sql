SELECT count(*)
FROM consilience.founding f
WHERE f.space = $1
    AND (SELECT true FROM consilience.vector v WHERE v.space = $1 AND v.model = $2 AND v.hash = f.content_hash) IS NULL
