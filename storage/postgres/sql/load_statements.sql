-- The contents of an item are those of the records that its statements propose.
SELECT st.item, st.contributor, st.sequence, st.place, st.seq, st.side, st.value, st.reputation, st.depth, st.proven, st.echo,
    st.record, st.effective, st.counted, r.record_id,
    c.content, c.item, c.kind, c.hash, c.first_group, c.second_group, c.judgement, c.judged_seq, c.judged_record, c.erased
FROM unnest($2::bigint[]) AS n (item)
JOIN consilience.statement st ON st.space = $1 AND st.item = n.item
LEFT JOIN (consilience.record r
           JOIN consilience.content c ON c.space = r.space AND c.kind = r.kind AND c.hash = r.content_hash)
    ON r.space = $1 AND r.record = st.record
