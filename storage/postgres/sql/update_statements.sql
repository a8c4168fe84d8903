UPDATE consilience.statement s SET effective = n.effective, counted = n.counted
FROM unnest($2::bigint[], $3::int[], $4::bigint[], $5::smallint[], $6::int[], $7::smallint[])
    AS n (item, contributor, sequence, place, effective, counted)
WHERE s.space = $1 AND s.item = n.item AND s.contributor = n.contributor AND s.sequence = n.sequence AND s.place = n.place
