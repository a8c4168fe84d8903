INSERT INTO consilience.slice_body (space, digest, page, contributor, revision, body)
SELECT $1, $2, n.page - 1, $3, $4, n.body
FROM unnest($5::bytea[]) WITH ORDINALITY AS n (body, page)
ON CONFLICT (digest, space, page) DO UPDATE SET kept_at = clock_timestamp()
