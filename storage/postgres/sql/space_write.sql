INSERT INTO consilience.space (space, name, partition, created, authority, near_zero, reputation, r0, policy)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (space) DO UPDATE SET authority = excluded.authority, near_zero = excluded.near_zero,
    reputation = excluded.reputation, r0 = excluded.r0, policy = excluded.policy
