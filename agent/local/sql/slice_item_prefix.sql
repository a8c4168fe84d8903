SELECT DISTINCT item_id FROM slice_entry WHERE item_id >= ? AND item_id <= ? LIMIT 2;
