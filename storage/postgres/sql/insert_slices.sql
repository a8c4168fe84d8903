INSERT INTO consilience.issued_slice (space, digest, contributor, revision, seq)
SELECT $1, n.* FROM unnest($2::bytea[], $3::int[], $4::bigint[], $5::bigint[]) AS n
ON CONFLICT DO NOTHING
