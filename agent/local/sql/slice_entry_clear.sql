DELETE FROM slice_entry WHERE space = ?;
