SELECT h.item, h.score, shown.shown, sum(h.contents) OVER ()::bigint
FROM (
    SELECT m.item, max(m.score) AS score, count(*) AS contents
    FROM (
        SELECT f.item, f.content, (SELECT sum(w.weight) FROM unnest($2::bigint[], $3::int[]) AS w (word, weight) WHERE w.word = ANY (f.words))::bigint AS score
        FROM (
            SELECT s.content, s.item, s.words FROM consilience.search s
            WHERE s.words && $4::bigint[] OFFSET 0) f
        ORDER BY score DESC, f.content DESC LIMIT $7) m
    GROUP BY m.item) h
CROSS JOIN LATERAL (SELECT status, verdict, confidence FROM consilience.item WHERE space = $1 AND item = h.item OFFSET 0) i
CROSS JOIN LATERAL (SELECT i.status = 0 AND i.verdict <> 2 AND i.confidence >= $5 AS shown) shown
ORDER BY shown.shown DESC, h.score DESC, i.confidence DESC, h.item DESC
LIMIT $6
