INSERT INTO consilience.space_state (space, last_seq, time, first_delta, reputation_policy) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (space) DO UPDATE SET last_seq = excluded.last_seq, time = excluded.time,
    first_delta = excluded.first_delta, reputation_policy = excluded.reputation_policy
