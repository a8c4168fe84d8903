SELECT sequence, delta_id, message, entries, tried FROM outbox
WHERE space = ? AND published = 0 AND status = ''
ORDER BY sequence;
