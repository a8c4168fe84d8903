UPDATE consilience.quarantine q SET until = $2
FROM consilience.contributor c
WHERE c.id = $1 AND q.target = c.contributor AND q.until IS NULL AND q.seq < $2
