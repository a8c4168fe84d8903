DELETE FROM consilience.claim c
USING (SELECT at.ctid AS at
       FROM unnest($2::bigint[]) AS n (item)
       CROSS JOIN LATERAL (
           SELECT ctid FROM consilience.claim WHERE space = $1 AND item = n.item OFFSET 0) at
       OFFSET 0) n
WHERE c.ctid = n.at
