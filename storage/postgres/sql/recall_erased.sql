SELECT n.item
FROM unnest($2::bigint[]) AS n (item)
CROSS JOIN LATERAL (SELECT kind, content_hash FROM consilience.item WHERE space = $1 AND item = n.item OFFSET 0) i
CROSS JOIN LATERAL (SELECT erased FROM consilience.content WHERE space = $1 AND kind = i.kind AND hash = i.content_hash OFFSET 0) c
WHERE c.erased
