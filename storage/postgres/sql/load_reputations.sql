SELECT r.contributor, r.r0, r.confirmed, r.contradicted, r.corroborated, r.accepted, r.judged, r.locks, r.locked_for, r.averages
FROM unnest($2::int[]) AS n (contributor)
JOIN consilience.reputation r ON r.space = $1 AND r.contributor = n.contributor
