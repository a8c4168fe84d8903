SELECT n.contributor, n.sequence,
    (SELECT d.delta_id FROM consilience.applied_delta d
     WHERE d.space = $1 AND d.contributor = n.contributor AND d.sequence = n.sequence),
    coalesce((SELECT h.sequence FROM consilience.applied_delta h
              WHERE h.space = $1 AND h.contributor = n.contributor ORDER BY h.sequence DESC LIMIT 1), 0)
FROM unnest($2::int[], $3::bigint[]) AS n (contributor, sequence)
