SELECT forward, content, content IS NULL FROM record WHERE record_id = ?;
