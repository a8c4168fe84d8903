SELECT r.record_id, r.forward, r.content, r.erased, r.contributor, r.seq,
    (SELECT d.envelope FROM consilience.applied_delta d WHERE d.space = $1 AND d.seq = r.seq)
FROM unnest($2::text[]) AS n (id)
CROSS JOIN LATERAL (
    SELECT * FROM consilience.record
    WHERE ('rec:' || consilience.b64(record_id)) COLLATE "C" = n.id AND space + 0 = $1 OFFSET 0) r
