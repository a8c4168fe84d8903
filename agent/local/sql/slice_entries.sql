SELECT item_id, head, content_hash, confidence FROM slice_entry WHERE space = ? ORDER BY item_id;
