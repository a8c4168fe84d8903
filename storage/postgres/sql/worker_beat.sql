INSERT INTO consilience.worker (name) VALUES ($1)
ON CONFLICT (name) DO UPDATE SET seen_at = clock_timestamp()
