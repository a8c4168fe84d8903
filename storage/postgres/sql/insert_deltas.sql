INSERT INTO consilience.applied_delta (space, contributor, sequence, delta_id, seq, at, envelope)
SELECT $1, n.* FROM unnest($2::int[], $3::bigint[], $4::bytea[], $5::bigint[], $6::bigint[], $7::bytea[]) AS n
ON CONFLICT DO NOTHING
