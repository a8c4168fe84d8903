SELECT sequence, delta_id, message, entries FROM outbox
WHERE space = ? AND published = 0 AND status = ''
ORDER BY sequence;
