SELECT later_id FROM back_reference WHERE record_id = ? ORDER BY later_id LIMIT ?;
