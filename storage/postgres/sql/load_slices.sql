SELECT s.digest, s.contributor, s.revision, s.seq
FROM unnest($2::bytea[]) AS n (digest)
CROSS JOIN LATERAL (
    SELECT * FROM consilience.issued_slice WHERE space = $1 AND digest = n.digest OFFSET 0) s
