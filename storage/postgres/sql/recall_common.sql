SELECT h.item, h.score
FROM (
    SELECT r.item, max(m.score) AS score
    FROM (
        SELECT f.content, (SELECT sum(w.weight) FROM unnest($2::bigint[], $3::int[]) AS w (word, weight) WHERE w.word = ANY (f.words))::bigint AS score
        FROM (
            SELECT n.content, n.words
            FROM (SELECT content, words FROM consilience.search WHERE space = $1 ORDER BY content DESC LIMIT $4) n
            WHERE n.words && $2::bigint[] ORDER BY n.content DESC LIMIT 1024) f
        ORDER BY score DESC, f.content DESC LIMIT 512) m
    CROSS JOIN LATERAL (SELECT * FROM consilience.record WHERE space = $1 AND record = m.content AND NOT erased OFFSET 0) r
    GROUP BY r.item) h
CROSS JOIN LATERAL (SELECT * FROM consilience.item WHERE space = $1 AND item = h.item OFFSET 0) i
ORDER BY (i.status = 0 AND i.verdict <> 2 AND i.confidence >= $5) DESC, h.score DESC, i.confidence DESC, i.item DESC
LIMIT $6
