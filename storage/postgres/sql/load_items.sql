SELECT i.item, i.item_id, i.founded, i.kind, i.content_hash, i.key_hash, i.value_hash, i.confidence, i.support, i.doubt, i.groups,
    i.status, i.verdict, i.head, i.supporters, i.doubters, i.created, i.updated, i.revision
FROM unnest($2::bigint[]) AS n (item)
JOIN consilience.item i ON i.space = $1 AND i.item = n.item
