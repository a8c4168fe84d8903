-- Shared by all who keep vectors; alone has it who erases texts (vectors_lock_alone.sql).
SELECT pg_advisory_xact_lock_shared(hashtext('consilience.vector'), $1)
