DECLARE sweep NO SCROLL CURSOR FOR
SELECT i.item, i.item_id, i.founded, i.kind, i.content_hash, i.key_hash, i.value_hash, i.confidence, i.support, i.doubt, i.groups,
    i.status, i.verdict, i.head, i.supporters, i.doubters, i.created, i.updated, i.revision
FROM consilience.item i WHERE i.space = $1 ORDER BY i.item
