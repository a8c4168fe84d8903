-- The contents of an item are those of the records that its statements propose.
SELECT c.content, c.item, c.kind, c.hash, c.first_group, c.second_group, c.judgement, c.judged_seq, c.judged_record, c.erased
FROM (SELECT DISTINCT r.kind, r.content_hash
      FROM unnest($2::bigint[]) AS n (item)
      JOIN consilience.statement st ON st.space = $1 AND st.item = n.item
      JOIN consilience.record r ON r.space = $1 AND r.record = st.record) k
JOIN consilience.content c ON c.space = $1 AND c.kind = k.kind AND c.hash = k.content_hash
