SELECT h.item, h.score
FROM (
    SELECT m.item, max(m.score) AS score
    FROM (
        SELECT f.item, f.content, (SELECT sum(w.weight) FROM unnest($2::bigint[], $3::int[]) AS w (word, weight) WHERE w.word = ANY (f.words))::bigint AS score
        FROM (
            SELECT n.content, n.item, n.words
            FROM (SELECT content, item, words FROM consilience.search WHERE space = $1 ORDER BY content DESC LIMIT $4) n
            WHERE n.words && $2::bigint[] ORDER BY n.content DESC LIMIT 1024) f
        ORDER BY score DESC, f.content DESC LIMIT greatest(256, 2 * $6)) m
    GROUP BY m.item) h
CROSS JOIN LATERAL (SELECT status, verdict, confidence FROM consilience.item WHERE space = $1 AND item = h.item OFFSET 0) i
ORDER BY (i.status = 0 AND i.verdict <> 2 AND i.confidence >= $5) DESC, h.score DESC, i.confidence DESC, h.item DESC
LIMIT $6
