-- As write_confidence_history, of items that have no row of these entries.
INSERT INTO consilience.confidence_history (space, item, seq, before, after, cause, cause_id, at)
SELECT $1, n.* FROM unnest($2::bigint[], $3::bigint[], $4::int[], $5::int[], $6::text[], $7::text[], $8::bigint[]) AS n
