UPDATE outbox SET tried = 1 WHERE delta_id = ?;
