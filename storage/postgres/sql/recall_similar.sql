SELECT n.item, n.score
FROM unnest($2::bigint[], $3::bigint[]) AS n (item, score)
CROSS JOIN LATERAL (SELECT item_id, status, verdict, confidence FROM consilience.item WHERE space = $1 AND item = n.item OFFSET 0) i
ORDER BY (i.status = 0 AND i.verdict <> 2 AND i.confidence >= $4) DESC, n.score DESC, i.item_id
LIMIT $5
