SELECT i.item
FROM unnest($2::text[]) WITH ORDINALITY AS n (id, place)
CROSS JOIN LATERAL (
    SELECT * FROM consilience.item
    WHERE ('item:' || consilience.b64(item_id)) COLLATE "C" = n.id AND space + 0 = $1 OFFSET 0) i
ORDER BY n.place
