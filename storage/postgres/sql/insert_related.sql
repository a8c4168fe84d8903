INSERT INTO consilience.related (space, item, other, why)
SELECT $1, n.* FROM unnest($2::bigint[], $3::bigint[], $4::text[]) AS n
ON CONFLICT DO NOTHING
