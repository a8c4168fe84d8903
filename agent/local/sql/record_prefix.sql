SELECT record_id FROM record WHERE record_id >= ? AND record_id <= ? LIMIT 2;
