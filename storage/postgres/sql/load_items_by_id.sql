SELECT i.item_id, i.item
FROM unnest($2::text[]) AS n (id)
CROSS JOIN LATERAL (
    SELECT item_id, item FROM consilience.item
    WHERE ('item:' || consilience.b64(item_id)) COLLATE "C" = n.id AND space + 0 = $1 OFFSET 0) i
