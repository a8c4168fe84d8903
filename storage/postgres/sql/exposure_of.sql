SELECT s.name, who.id, recipient.id, c.kind, c.hash, i.item_id, e.how, e.seq, e.at
FROM unnest($1::int[]) AS n (contributor)
JOIN consilience.contributor who ON who.contributor = n.contributor
CROSS JOIN LATERAL (
    SELECT r.space, r.kind, r.content_hash FROM consilience.statement st
    JOIN consilience.record r ON r.space = st.space AND r.record = st.record
    WHERE st.contributor = n.contributor AND st.record <> 0
    GROUP BY r.space, r.kind, r.content_hash) r
JOIN consilience.space s ON s.space = r.space
JOIN consilience.content c ON c.space = r.space AND c.kind = r.kind AND c.hash = r.content_hash
JOIN consilience.item i ON i.space = c.space AND i.item = c.item
JOIN consilience.exposure e ON e.space = c.space AND e.kind = c.kind AND e.hash = c.hash
JOIN consilience.contributor recipient ON recipient.contributor = e.contributor
ORDER BY s.name, e.seq, recipient.id, i.item_id, c.kind, c.hash, who.id
