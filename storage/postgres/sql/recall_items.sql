SELECT i.item, i.item_id, CASE WHEN i.fallen THEN 0 ELSE i.confidence END, CASE WHEN i.fallen THEN 0 ELSE i.belief END,
    CASE WHEN i.confidence < i.near_zero OR i.verdict = 2 OR i.fallen THEN false
         WHEN NOT CASE
             WHEN i.verdict = 1 THEN true
             WHEN i.authority = 'open' THEN i.belief >= 500000
             WHEN i.groups < 2 THEN false
             WHEN i.authority = 'strict' THEN i.support >= 900000 AND coalesce(consilience.outweighs(i.support, i.rival_support), true)
             ELSE i.belief >= 900000 END THEN false
         ELSE NOT i.rival_confirmed END,
    CASE WHEN i.fallen THEN 'quarantined'
         WHEN i.verdict = 2 THEN 'contradicted'
         WHEN i.verdict = 1 AND NOT i.rival_confirmed THEN 'confirmed'
         ELSE 'active' END,
    r.tainted, i.updated, r.record_id, r.forward, r.content, r.erased, r.contributor, r.seq,
    (SELECT d.envelope FROM consilience.applied_delta d WHERE d.space = $1 AND d.seq = r.seq)
FROM unnest($2::bigint[]) WITH ORDINALITY AS n (item, place)
CROSS JOIN LATERAL (SELECT item, item_id, confidence, support, belief, groups, verdict, updated, head, authority, near_zero, fallen, rival_confirmed, rival_support FROM consilience.item_now WHERE space = $1 AND item = n.item OFFSET 0) i
CROSS JOIN LATERAL (SELECT * FROM consilience.record WHERE space = $1 AND record = i.head OFFSET 0) r
ORDER BY n.place
