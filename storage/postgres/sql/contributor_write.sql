INSERT INTO consilience.contributor (contributor, id, name, root, parents, depth, origin, vouched, reputation, spaces, enrolled, enrolled_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
ON CONFLICT (contributor) DO UPDATE SET name = excluded.name, origin = excluded.origin, vouched = excluded.vouched,
    reputation = excluded.reputation, spaces = excluded.spaces
