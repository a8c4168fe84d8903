SELECT coalesce((SELECT max(seq) FROM consilience.fact), 0)
FROM (SELECT pg_advisory_xact_lock(hashtextextended('consilience.fact', 0))) locked
