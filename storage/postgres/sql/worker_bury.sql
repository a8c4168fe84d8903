DELETE FROM consilience.worker WHERE seen_at < clock_timestamp() - interval '1 hour'
