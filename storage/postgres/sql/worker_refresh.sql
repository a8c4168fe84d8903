UPDATE consilience.position p SET seen_at = clock_timestamp()
FROM (SELECT partition FROM consilience.position WHERE owner = $1 ORDER BY partition FOR NO KEY UPDATE SKIP LOCKED) own
WHERE p.partition = own.partition
