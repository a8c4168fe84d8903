UPDATE consilience.position p SET owner = $2, seen_at = clock_timestamp()
FROM (SELECT partition FROM consilience.position c
      WHERE partition = $1 AND (owner = '' OR owner = $2 OR seen_at <= clock_timestamp() - interval '3 seconds'
          AND NOT EXISTS (SELECT FROM consilience.worker w WHERE w.name = c.owner AND w.seen_at > clock_timestamp() - interval '3 seconds'))
      FOR NO KEY UPDATE SKIP LOCKED) free
WHERE p.partition = free.partition
