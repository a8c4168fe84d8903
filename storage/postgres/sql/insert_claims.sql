INSERT INTO consilience.claim (space, item, confidence, support, rivals, confirmed, key_hash, value_hash)
SELECT $1, n.* FROM unnest($2::bigint[], $3::int[], $4::int[], $5::bool[], $6::bool[], $7::bytea[], $8::bytea[]) AS n
ON CONFLICT DO NOTHING
