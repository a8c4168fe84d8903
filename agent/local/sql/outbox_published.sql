UPDATE outbox SET published = 1 WHERE delta_id = ?;
