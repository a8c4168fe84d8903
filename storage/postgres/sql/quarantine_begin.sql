INSERT INTO consilience.quarantine (target, seq, since, whole, at, reason)
SELECT contributor, $2, $3, $4, $5, $6 FROM consilience.contributor WHERE id = $1
ON CONFLICT DO NOTHING
