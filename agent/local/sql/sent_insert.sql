INSERT INTO sent (space, change, delta_id) VALUES (?, ?, ?);
