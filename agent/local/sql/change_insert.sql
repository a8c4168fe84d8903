INSERT INTO change (space, kind, record_id, item_id, value) VALUES (?, ?, ?, ?, ?);
