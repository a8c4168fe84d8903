-- Standing as memory.items has it, which a test compares. That view costs too much to
-- plan here; what its costly columns are not needed for, they are not asked for.
SELECT i.item, i.item_id, CASE WHEN i.fallen THEN 0 ELSE i.confidence END, CASE WHEN i.fallen THEN 0 ELSE i.belief END,
    CASE WHEN i.confidence < i.near_zero OR i.verdict = 2 OR i.fallen THEN false
         WHEN i.verdict = 1 THEN NOT i.rival_confirmed
         WHEN i.authority = 'open' THEN i.belief >= 500000 AND NOT i.rival_confirmed
         WHEN i.groups < 2 THEN false
         WHEN i.authority = 'strict' THEN
             i.support >= 900000 AND coalesce(consilience.outweighs(i.support, i.rival_support), true) AND NOT i.rival_confirmed
         ELSE i.belief >= 900000 AND NOT i.rival_confirmed END,
    CASE WHEN i.fallen THEN 'quarantined'
         WHEN i.verdict = 2 THEN 'contradicted'
         WHEN i.verdict = 1 AND NOT i.rival_confirmed THEN 'confirmed'
         ELSE 'active' END,
    r.tainted, i.updated, r.record_id, r.forward, r.content, r.erased, r.contributor, r.seq,
    (SELECT d.envelope FROM consilience.applied_delta d WHERE d.space = $1 AND d.seq = r.seq)
FROM unnest($2::bigint[]) WITH ORDINALITY AS n (item, place)
CROSS JOIN LATERAL (
    SELECT item, item_id, confidence, support, belief, groups, verdict, updated, head, authority, near_zero, fallen,
        CASE WHEN verdict = 1 OR groups > 1 OR authority = 'open' THEN rival_confirmed END AS rival_confirmed,
        CASE WHEN authority = 'strict' THEN rival_support END AS rival_support
    FROM consilience.item_now WHERE space = $1 AND item = n.item OFFSET 0) i
CROSS JOIN LATERAL (
    SELECT record_id, forward, content, erased, contributor, seq, tainted FROM consilience.record WHERE space = $1 AND record = i.head OFFSET 0) r
ORDER BY n.place
