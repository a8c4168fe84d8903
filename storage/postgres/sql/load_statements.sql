-- The contents of an item are those of the records that its statements propose. Of
-- an item that is not loaded whole no content is looked up, nor the founding record,
-- whose id is that of the item.
SELECT st.item, st.contributor, st.sequence, st.place, st.seq, st.side, st.value, st.reputation, st.depth, st.proven, st.echo,
    st.record, st.effective, st.counted, r.record_id,
    c.content, c.item, c.kind, c.hash, c.first_group, c.second_group, c.judgement, c.judged_seq, c.judged_record, c.erased
FROM unnest($2::bigint[], $3::bool[]) AS n (item, whole)
CROSS JOIN LATERAL (
    SELECT * FROM consilience.statement WHERE space = $1 AND item = n.item OFFSET 0) st
LEFT JOIN LATERAL (
    SELECT record_id, kind, content_hash FROM consilience.record
    WHERE space = $1 AND record = st.record AND (n.whole OR st.record <> n.item) OFFSET 0) r ON true
LEFT JOIN LATERAL (
    SELECT * FROM consilience.content WHERE space = $1 AND kind = r.kind AND hash = r.content_hash AND n.whole OFFSET 0) c ON true
