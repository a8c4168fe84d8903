SELECT h.content, h.contributor, h."group", h.credit, h.corroborated, h.blamed
FROM (SELECT DISTINCT r.kind, r.content_hash
      FROM unnest($2::bigint[]) AS n (item)
      CROSS JOIN LATERAL (
          SELECT record FROM consilience.statement WHERE space = $1 AND item = n.item OFFSET 0) st
      CROSS JOIN LATERAL (
          SELECT kind, content_hash FROM consilience.record WHERE space = $1 AND record = st.record OFFSET 0) r) k
CROSS JOIN LATERAL (
    SELECT content FROM consilience.content WHERE space = $1 AND kind = k.kind AND hash = k.content_hash OFFSET 0) c
CROSS JOIN LATERAL (
    SELECT * FROM consilience.holder WHERE space = $1 AND content = c.content OFFSET 0) h
