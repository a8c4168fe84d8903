UPDATE outbox SET published = 1, status = ?, reason = ? WHERE delta_id = ? AND status = '';
