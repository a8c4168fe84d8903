INSERT INTO outbox (space, sequence, delta_id, message, entries) VALUES (?, ?, ?, ?, ?);
