INSERT INTO back_reference (record_id, later_id) VALUES (?, ?)
ON CONFLICT DO NOTHING;
