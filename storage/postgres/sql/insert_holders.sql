INSERT INTO consilience.holder (space, content, contributor, "group", credit, corroborated, blamed)
SELECT $1, c.content, n.contributor, n."group", n.credit, n.corroborated, n.blamed
FROM unnest($2::smallint[], $3::bytea[], $4::int[], $5::int[], $6::bool[], $7::bool[], $8::bool[])
    AS n (kind, hash, contributor, "group", credit, corroborated, blamed)
JOIN consilience.content c ON c.space = $1 AND c.kind = n.kind AND c.hash = n.hash
ON CONFLICT DO NOTHING
