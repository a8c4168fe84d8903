INSERT INTO slice_entry (space, item_id, head, content_hash, confidence) VALUES (?, ?, ?, ?, ?);
