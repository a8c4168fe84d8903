INSERT INTO consilience.fact (seq, kind, subject, command_id, signer, target, reason, effect, refusal, at, raw)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT DO NOTHING
