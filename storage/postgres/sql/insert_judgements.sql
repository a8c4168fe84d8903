INSERT INTO consilience.judgement (space, command_id, kind, signer, record, other, reason, seq, at, effect, envelope)
SELECT $1, n.* FROM unnest($2::bytea[], $3::text[], $4::bytea[], $5::bytea[], $6::bytea[], $7::text[], $8::bigint[], $9::bigint[],
    $10::text[], $11::bytea[]) AS n
ON CONFLICT DO NOTHING
