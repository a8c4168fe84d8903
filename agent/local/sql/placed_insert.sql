INSERT INTO placed (space, record_id, item_id) VALUES (?, ?, ?)
ON CONFLICT (space, record_id) DO UPDATE SET item_id = excluded.item_id;
