INSERT INTO consilience.outcome (space, partition, seq, contributor, delta_id, status, body)
SELECT $1, $2, n.* FROM unnest($3::bigint[], $4::bytea[], $5::bytea[], $6::text[], $7::bytea[]) AS n
ON CONFLICT DO NOTHING
