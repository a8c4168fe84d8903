UPDATE consilience.claim c
SET confidence = n.confidence, support = n.support, rivals = n.rivals, confirmed = n.confirmed
FROM (SELECT n.*, at.ctid AS at
      FROM unnest($2::bigint[], $3::int[], $4::int[], $5::bool[], $6::bool[])
          AS n (item, confidence, support, rivals, confirmed)
      CROSS JOIN LATERAL (
          SELECT ctid FROM consilience.claim WHERE space = $1 AND item = n.item
            AND (confidence, support, rivals, confirmed) IS DISTINCT FROM (n.confidence, n.support, n.rivals, n.confirmed) OFFSET 0) at
      OFFSET 0) n
WHERE c.ctid = n.at
