SELECT s.digest, s.contributor, s.revision, s.seq
FROM unnest($2::bytea[]) AS n (digest)
JOIN consilience.issued_slice s ON s.space = $1 AND s.digest = n.digest
