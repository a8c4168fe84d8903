INSERT INTO record (record_id, contributor, kind, content_hash, forward, content)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (record_id) DO NOTHING;
