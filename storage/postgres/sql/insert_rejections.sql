INSERT INTO consilience.rejection (space, seq, subject, hash, reason, detail, at)
SELECT $1, n.* FROM unnest($2::bigint[], $3::text[], $4::bytea[], $5::text[], $6::text[], $7::bigint[]) AS n
ON CONFLICT DO NOTHING
