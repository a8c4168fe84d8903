UPDATE consilience.rejection SET requeued_at = clock_timestamp(), requeued_as = $2 WHERE seq = $1
