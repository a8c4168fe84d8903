INSERT INTO consilience.item (space, item, confidence, support, doubt, groups, status, verdict, head, supporters, doubters,
    updated, revision, item_id, founded, kind, content_hash, key_hash, value_hash, created, founding_confidence,
    claim_subject, claim_predicate, claim_scope, claim_value)
SELECT $1, n.* FROM unnest($2::bigint[], $3::int[], $4::int[], $5::int[], $6::int[], $7::smallint[], $8::smallint[], $9::bigint[],
    $10::int[], $11::int[], $12::bigint[], $13::bigint[], $14::bytea[], $15::bigint[], $16::smallint[], $17::bytea[],
    $18::bytea[], $19::bytea[], $20::bigint[], $21::int[], $22::text[], $23::text[], $24::text[], $25::text[]) AS n
ON CONFLICT DO NOTHING
