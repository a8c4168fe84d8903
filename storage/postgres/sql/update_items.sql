UPDATE consilience.item i
SET confidence = n.confidence, support = n.support, doubt = n.doubt, groups = n.groups, status = n.status, verdict = n.verdict,
    head = n.head, supporters = n.supporters, doubters = n.doubters, updated = n.updated, revision = n.revision
FROM (SELECT n.*, at.ctid AS at
      FROM unnest($2::bigint[], $3::int[], $4::int[], $5::int[], $6::int[], $7::smallint[], $8::smallint[], $9::bigint[],
          $10::int[], $11::int[], $12::bigint[], $13::bigint[])
          AS n (item, confidence, support, doubt, groups, status, verdict, head, supporters, doubters, updated, revision)
      CROSS JOIN LATERAL (
          SELECT ctid FROM consilience.item WHERE space = $1 AND item = n.item OFFSET 0) at
      OFFSET 0) n
WHERE i.ctid = n.at
