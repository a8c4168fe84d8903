INSERT INTO consilience.origin (origin_group, origin) VALUES ($1, $2) ON CONFLICT DO NOTHING
