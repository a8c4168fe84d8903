SELECT r.record_id, r.forward, r.content, r.erased, r.contributor, r.seq, d.envelope
FROM unnest($2::text[]) AS n (id)
JOIN consilience.record r ON ('rec:' || consilience.b64(r.record_id)) COLLATE "C" = n.id AND r.space = $1
LEFT JOIN consilience.applied_delta d ON d.space = r.space AND d.seq = r.seq
