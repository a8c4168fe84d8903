SELECT st.item, st.contributor, st.sequence, st.place, st.seq, st.side, st.value, st.reputation, st.depth, st.proven, st.echo,
    st.record, st.effective, st.counted, r.record_id, r.kind, r.content_hash
FROM unnest($2::bigint[]) AS n (item)
JOIN consilience.statement st ON st.space = $1 AND st.item = n.item
LEFT JOIN consilience.record r ON r.space = $1 AND r.record = st.record
