DECLARE sweep NO SCROLL CURSOR FOR
SELECT i.item, i.item_id, i.founded, i.kind, i.content_hash, i.key_hash, i.value_hash, i.confidence, i.support, i.doubt, i.groups,
    i.status, i.verdict, i.head, i.supporters, i.doubters, i.created, i.updated, i.revision
FROM (SELECT DISTINCT item FROM consilience.statement WHERE space = $1 AND contributor = ANY ($2::int[]) ORDER BY item) n
CROSS JOIN LATERAL (
    SELECT * FROM consilience.item WHERE space = $1 AND item = n.item OFFSET 0) i
ORDER BY n.item
