INSERT INTO slice (space, revision, digest, envelope) VALUES (?, ?, ?, ?)
ON CONFLICT (space) DO UPDATE
SET revision = excluded.revision, digest = excluded.digest, envelope = excluded.envelope;
