INSERT INTO consilience.vector (space, model, hash, vector)
SELECT $1, $2, n.* FROM unnest($3::bytea[], $4::bytea[]) AS n
ON CONFLICT DO NOTHING
