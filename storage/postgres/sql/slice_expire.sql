DELETE FROM consilience.slice_body WHERE kept_at < clock_timestamp() - interval '1 day'
