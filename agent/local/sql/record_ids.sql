SELECT record_id FROM record ORDER BY ordinal;
