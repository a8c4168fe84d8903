SELECT s.name, i.item_id
FROM consilience.item i JOIN consilience.space s ON s.space = i.space + 0
WHERE ('item:' || consilience.b64(i.item_id)) COLLATE "C" >= $2 AND ('item:' || consilience.b64(i.item_id)) COLLATE "C" < $3
  AND ($1 = '' OR s.name = $1)
LIMIT 2
