INSERT INTO consilience.reputation (space, contributor, r0, confirmed, contradicted, corroborated, accepted, judged, locks, locked_for,
    averages, own, proven)
SELECT $1, n.contributor, n.r0, n.confirmed, n.contradicted, n.corroborated, n.accepted, n.judged::bool[], n.locks, n.locked_for,
    ARRAY[n.a1, n.a2, n.a3], n.own, n.proven
FROM unnest($2::int[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[], $8::text[], $9::int[], $10::int[], $11::int[],
    $12::int[], $13::int[], $14::int[], $15::bool[])
    AS n (contributor, r0, confirmed, contradicted, corroborated, accepted, judged, locks, locked_for, a1, a2, a3, own, proven)
ON CONFLICT (space, contributor) DO UPDATE SET r0 = excluded.r0, confirmed = excluded.confirmed,
    contradicted = excluded.contradicted, corroborated = excluded.corroborated, accepted = excluded.accepted,
    judged = excluded.judged, locks = excluded.locks, locked_for = excluded.locked_for, averages = excluded.averages,
    own = excluded.own, proven = excluded.proven
