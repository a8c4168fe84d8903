SELECT count(*) FILTER (WHERE status = '' AND published = 0),
       count(*) FILTER (WHERE status = '' AND published = 1)
FROM outbox WHERE space = ?;
