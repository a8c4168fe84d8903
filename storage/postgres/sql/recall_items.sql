SELECT i.item, i.item_id, (v.confidence * 1000000)::int, (v.belief * 1000000)::int, v.authoritative, v.status, coalesce(v.tainted, false), i.updated,
    r.record_id, r.forward, r.content, r.erased, r.contributor, r.seq,
    (SELECT d.envelope FROM consilience.applied_delta d WHERE d.space = $1 AND d.seq = r.seq)
FROM unnest($2::bigint[]) WITH ORDINALITY AS n (item, place)
CROSS JOIN LATERAL (SELECT * FROM consilience.item WHERE space = $1 AND item = n.item OFFSET 0) i
CROSS JOIN LATERAL (
    SELECT confidence, belief, authoritative, status, tainted FROM memory.items
    WHERE items.item_id = ('item:' || consilience.b64(i.item_id)) COLLATE "C" AND items.space = (SELECT name FROM consilience.space WHERE space = $1) OFFSET 0) v
CROSS JOIN LATERAL (SELECT * FROM consilience.record WHERE space = $1 AND record = i.head OFFSET 0) r
ORDER BY n.place
