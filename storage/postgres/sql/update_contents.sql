UPDATE consilience.content c
SET item = n.item, first_group = CASE WHEN n.has_first THEN n.first_group END,
    second_group = CASE WHEN n.has_second THEN n.second_group END, judgement = n.judgement, judged_seq = n.judged_seq,
    judged_record = n.judged_record, erased = n.erased
FROM (SELECT n.*, at.ctid AS at
      FROM unnest($2::smallint[], $3::bytea[], $4::bigint[], $5::bool[], $6::int[], $7::bool[], $8::int[], $9::smallint[], $10::bigint[],
          $11::bytea[], $12::bool[])
          AS n (kind, hash, item, has_first, first_group, has_second, second_group, judgement, judged_seq, judged_record, erased)
      CROSS JOIN LATERAL (
          SELECT ctid FROM consilience.content WHERE space = $1 AND kind = n.kind AND hash = n.hash OFFSET 0) at
      OFFSET 0) n
WHERE c.ctid = n.at
