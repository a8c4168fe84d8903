SELECT s.name, r.record_id
FROM consilience.record r JOIN consilience.space s ON s.space = r.space + 0
WHERE ('rec:' || consilience.b64(r.record_id)) COLLATE "C" >= $2 AND ('rec:' || consilience.b64(r.record_id)) COLLATE "C" < $3
  AND ($1 = '' OR s.name = $1)
LIMIT 2
