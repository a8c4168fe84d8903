INSERT INTO consilience.claim (space, item, key_hash, value_hash, confidence, support, rivals, confirmed)
SELECT $1, n.* FROM unnest($2::bigint[], $3::bytea[], $4::bytea[], $5::int[], $6::int[], $7::bool[], $8::bool[]) AS n
ON CONFLICT (space, item) DO UPDATE SET confidence = excluded.confidence, support = excluded.support,
    rivals = excluded.rivals, confirmed = excluded.confirmed
