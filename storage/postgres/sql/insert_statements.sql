INSERT INTO consilience.statement (space, item, contributor, sequence, place, effective, counted, seq, side, value, reputation, depth,
    proven, echo, record)
SELECT $1, n.* FROM unnest($2::bigint[], $3::int[], $4::bigint[], $5::smallint[], $6::int[], $7::smallint[], $8::bigint[],
    $9::smallint[], $10::int[], $11::int[], $12::smallint[], $13::bool[], $14::bool[], $15::bigint[]) AS n
ON CONFLICT DO NOTHING
