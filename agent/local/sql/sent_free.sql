DELETE FROM sent WHERE delta_id = ?;
