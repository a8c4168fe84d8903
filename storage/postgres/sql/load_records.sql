SELECT r.record, r.record_id, r.kind, r.content_hash, r.contributor, r.seq, r.item, r.tainted, r.erased
FROM unnest($2::text[]) AS n (id)
CROSS JOIN LATERAL (
    SELECT * FROM consilience.record
    WHERE ('rec:' || consilience.b64(record_id)) COLLATE "C" = n.id AND space + 0 = $1 OFFSET 0) r
