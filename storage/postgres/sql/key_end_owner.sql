UPDATE consilience.key SET until = $2 WHERE owner = $1 AND role = 'contributor' AND until IS NULL
