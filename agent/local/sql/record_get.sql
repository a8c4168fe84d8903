SELECT forward, content FROM record WHERE record_id = ?;
