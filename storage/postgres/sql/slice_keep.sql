INSERT INTO consilience.slice_body (space, digest, contributor, revision, body) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (digest, space) DO UPDATE SET kept_at = clock_timestamp()
