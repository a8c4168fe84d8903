INSERT INTO consilience.content (space, kind, hash, item, first_group, second_group, judgement, judged_seq, judged_record, erased, content)
SELECT $1, n.kind, n.hash, n.item, CASE WHEN n.has_first THEN n.first_group END, CASE WHEN n.has_second THEN n.second_group END,
    n.judgement, n.judged_seq, n.judged_record, n.erased, n.content
FROM unnest($2::smallint[], $3::bytea[], $4::bigint[], $5::bool[], $6::int[], $7::bool[], $8::int[], $9::smallint[], $10::bigint[],
    $11::bytea[], $12::bool[], $13::bigint[])
    AS n (kind, hash, item, has_first, first_group, has_second, second_group, judgement, judged_seq, judged_record, erased, content)
ON CONFLICT DO NOTHING
