-- The look for a vector is no join, so that the planner cannot make it one of all vectors.
SELECT i.item, i.item_id, i.content_hash, r.content, NULL::bytea
FROM consilience.item i
CROSS JOIN LATERAL (
    SELECT content FROM consilience.record WHERE space = i.space AND record = i.item
    UNION ALL
    SELECT content FROM consilience.record
    WHERE ('rec:' || consilience.b64(record_id)) COLLATE "C" = ('rec:' || consilience.b64(i.item_id)) AND space + 0 = i.space
    LIMIT 1) r
WHERE i.space = $1 AND i.item > $3 AND i.kind = 0 AND r.content IS NOT NULL
    AND (SELECT true FROM consilience.vector v WHERE v.space = $1 AND v.model = $2 AND v.hash = i.content_hash) IS NULL
ORDER BY i.item LIMIT $4
