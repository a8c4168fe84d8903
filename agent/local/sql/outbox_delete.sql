DELETE FROM outbox WHERE delta_id = ?;
