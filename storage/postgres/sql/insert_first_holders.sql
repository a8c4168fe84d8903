INSERT INTO consilience.holder (space, content, contributor, "group", credit, corroborated, blamed)
SELECT $1, n.* FROM unnest($2::bigint[], $3::int[], $4::int[], $5::bool[], $6::bool[], $7::bool[]) AS n
ON CONFLICT DO NOTHING
