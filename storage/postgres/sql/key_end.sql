UPDATE consilience.key SET until = $3 WHERE key_id = $1 AND role = $2 AND until IS NULL
