UPDATE consilience.statement s SET effective = n.effective, counted = n.counted
FROM (SELECT n.*, at.ctid AS at
      FROM unnest($2::bigint[], $3::int[], $4::bigint[], $5::smallint[], $6::int[], $7::smallint[])
          AS n (item, contributor, sequence, place, effective, counted)
      CROSS JOIN LATERAL (
          SELECT ctid FROM consilience.statement
          WHERE space = $1 AND item = n.item AND contributor = n.contributor AND sequence = n.sequence AND place = n.place OFFSET 0) at
      OFFSET 0) n
WHERE s.ctid = n.at
