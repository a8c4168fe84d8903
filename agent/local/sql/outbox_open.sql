-- Published messages whose outcome is not known yet.
SELECT sequence, delta_id FROM outbox
WHERE space = ? AND published = 1 AND status = ''
ORDER BY sequence;
