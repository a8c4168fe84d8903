INSERT INTO consilience.key (key_id, role, owner, public, since) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (key_id) DO UPDATE SET until = NULL WHERE consilience.key.role = excluded.role
