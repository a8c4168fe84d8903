SELECT partition, owner FROM consilience.position
WHERE owner <> '' AND (seen_at > clock_timestamp() - interval '3 seconds'
    OR owner IN (SELECT name FROM consilience.worker WHERE seen_at > clock_timestamp() - interval '3 seconds'))
