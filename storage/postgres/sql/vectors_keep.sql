INSERT INTO consilience.vector (space, model, hash, vector)
SELECT $1, $2, n.hash, n.vector FROM unnest($3::bytea[], $4::bytea[]) AS n (hash, vector)
WHERE (SELECT c.erased FROM consilience.content c WHERE c.space = $1 AND c.kind = 0 AND c.hash = n.hash) IS NOT TRUE
ON CONFLICT DO NOTHING
