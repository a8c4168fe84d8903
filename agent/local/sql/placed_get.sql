SELECT space, item_id FROM placed WHERE record_id = ? ORDER BY space;
