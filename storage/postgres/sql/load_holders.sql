SELECT h.content, h.contributor, h."group", h.credit, h.corroborated, h.blamed
FROM (SELECT DISTINCT r.kind, r.content_hash
      FROM unnest($2::bigint[]) AS n (item)
      JOIN consilience.statement st ON st.space = $1 AND st.item = n.item
      JOIN consilience.record r ON r.space = $1 AND r.record = st.record) k
JOIN consilience.content c ON c.space = $1 AND c.kind = k.kind AND c.hash = k.content_hash
JOIN consilience.holder h ON h.space = $1 AND h.content = c.content
