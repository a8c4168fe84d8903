SELECT i.item_id, i.item
FROM unnest($2::text[]) AS n (id)
JOIN consilience.item i ON ('item:' || consilience.b64(i.item_id)) COLLATE "C" = n.id AND i.space = $1
