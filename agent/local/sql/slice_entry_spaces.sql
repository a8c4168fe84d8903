-- In which slices an item stands, and with which head.
SELECT space, head, content_hash FROM slice_entry WHERE item_id = ? ORDER BY space;
