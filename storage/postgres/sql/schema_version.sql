SELECT coalesce(max(version_id), 0) FROM consilience_migrations WHERE is_applied
