SELECT name FROM consilience.worker WHERE seen_at > clock_timestamp() - interval '3 seconds' ORDER BY name COLLATE "C"
