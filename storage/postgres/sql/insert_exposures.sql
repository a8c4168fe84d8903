INSERT INTO consilience.exposure (space, root, kind, hash, contributor, seq, how, at)
SELECT $1, n.* FROM unnest($2::int[], $3::smallint[], $4::bytea[], $5::int[], $6::bigint[], $7::text[], $8::bigint[]) AS n
ON CONFLICT DO NOTHING
