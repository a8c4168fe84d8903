SELECT r.record, r.record_id, r.kind, r.content_hash, r.contributor, r.seq, r.item, r.tainted, r.erased
FROM unnest($2::text[]) AS n (id)
JOIN consilience.record r ON ('rec:' || consilience.b64(r.record_id)) COLLATE "C" = n.id AND r.space = $1
