UPDATE consilience.holder h
SET "group" = n."group", credit = n.credit, corroborated = n.corroborated, blamed = n.blamed
FROM unnest($2::smallint[], $3::bytea[], $4::int[], $5::int[], $6::bool[], $7::bool[], $8::bool[])
    AS n (kind, hash, contributor, "group", credit, corroborated, blamed)
JOIN consilience.content c ON c.space = $1 AND c.kind = n.kind AND c.hash = n.hash
WHERE h.space = $1 AND h.content = c.content AND h.contributor = n.contributor
