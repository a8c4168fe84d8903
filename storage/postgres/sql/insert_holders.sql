INSERT INTO consilience.holder (space, content, contributor, "group", credit, corroborated, blamed)
SELECT $1, c.content, n.contributor, n."group", n.credit, n.corroborated, n.blamed
FROM unnest($2::smallint[], $3::bytea[], $4::int[], $5::int[], $6::bool[], $7::bool[], $8::bool[])
    AS n (kind, hash, contributor, "group", credit, corroborated, blamed)
CROSS JOIN LATERAL (
    SELECT content FROM consilience.content WHERE space = $1 AND kind = n.kind AND hash = n.hash OFFSET 0) c
ON CONFLICT DO NOTHING
