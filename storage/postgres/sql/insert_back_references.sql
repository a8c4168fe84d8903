INSERT INTO consilience.back_reference (space, record, later, later_hash, corrects)
SELECT $1, n.* FROM unnest($2::bigint[], $3::bigint[], $4::bytea[], $5::bool[]) AS n
ON CONFLICT DO NOTHING
