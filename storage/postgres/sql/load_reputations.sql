SELECT r.contributor, r.r0, r.confirmed, r.contradicted, r.corroborated, r.accepted, r.judged, r.locks, r.locked_for, r.averages
FROM unnest($2::int[]) AS n (contributor)
CROSS JOIN LATERAL (
    SELECT * FROM consilience.reputation WHERE space = $1 AND contributor = n.contributor OFFSET 0) r
