-- Masks as of the entry: quarantines set up to it and not lifted up to it.
WITH RECURSIVE mask AS (
    SELECT m.contributor, min(m.since) AS since
    FROM (SELECT q.target AS contributor, q.since FROM consilience.quarantine q
          WHERE q.seq <= $3 AND (q.until IS NULL OR q.until > $3)
          UNION ALL
          SELECT a.contributor, q.since FROM consilience.quarantine q JOIN consilience.ancestry a ON a.ancestor = q.target
          WHERE q.seq <= $3 AND (q.until IS NULL OR q.until > $3)) m
    GROUP BY m.contributor),
touched AS (
    SELECT b.later AS record
    FROM (SELECT DISTINCT s.record FROM consilience.statement s
          WHERE s.space = $1 AND s.contributor = ANY ($2::int[]) AND s.record <> 0) own
    JOIN consilience.back_reference b ON b.space = $1 AND b.record = own.record AND NOT b.corrects
    UNION
    SELECT b.later FROM touched t
    JOIN consilience.back_reference b ON b.space = $1 AND b.record = t.record AND NOT b.corrects),
masked AS (
    SELECT r.record
    FROM mask m
    JOIN consilience.statement s ON s.space = $1 AND s.contributor = m.contributor AND s.record <> 0
    JOIN consilience.record r ON r.space = $1 AND r.record = s.record AND r.seq >= m.since
    WHERE EXISTS (SELECT FROM touched)),
tainted AS (
    SELECT b.later AS record
    FROM masked m JOIN consilience.back_reference b ON b.space = $1 AND b.record = m.record AND NOT b.corrects
    UNION
    SELECT b.later FROM tainted t
    JOIN consilience.back_reference b ON b.space = $1 AND b.record = t.record AND NOT b.corrects)
UPDATE consilience.record r SET tainted = NOT r.tainted
FROM touched t
WHERE r.space = $1 AND r.record = t.record
  AND r.tainted <> (r.record IN (SELECT record FROM tainted))
