UPDATE consilience.holder h
SET "group" = n."group", credit = n.credit, corroborated = n.corroborated, blamed = n.blamed
FROM (SELECT n.*, at.ctid AS at
      FROM unnest($2::smallint[], $3::bytea[], $4::int[], $5::int[], $6::bool[], $7::bool[], $8::bool[])
          AS n (kind, hash, contributor, "group", credit, corroborated, blamed)
      CROSS JOIN LATERAL (
          SELECT content FROM consilience.content WHERE space = $1 AND kind = n.kind AND hash = n.hash OFFSET 0) c
      CROSS JOIN LATERAL (
          SELECT ctid FROM consilience.holder WHERE space = $1 AND content = c.content AND contributor = n.contributor OFFSET 0) at
      OFFSET 0) n
WHERE h.ctid = n.at
