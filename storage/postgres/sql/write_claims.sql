INSERT INTO consilience.claim AS c (space, item, key_hash, value_hash, confidence, support, confirmed)
SELECT $1, n.* FROM unnest($2::bigint[], $3::bytea[], $4::bytea[], $5::int[], $6::int[], $7::bool[]) AS n
ON CONFLICT (space, item) DO UPDATE SET confidence = excluded.confidence, support = excluded.support, confirmed = excluded.confirmed
WHERE (c.confidence, c.support, c.confirmed) IS DISTINCT FROM (excluded.confidence, excluded.support, excluded.confirmed)
