INSERT INTO consilience.record (space, record, record_id, kind, content_hash, contributor, seq, written_at, item, tainted, erased,
    forward, content)
SELECT $1, n.* FROM unnest($2::bigint[], $3::bytea[], $4::smallint[], $5::bytea[], $6::int[], $7::bigint[], $8::bigint[],
    $9::bigint[], $10::bool[], $11::bool[], $12::bytea[], $13::bytea[]) AS n
ON CONFLICT DO NOTHING
