SELECT greatest(
        coalesce((SELECT last_seq FROM consilience.space_state WHERE space = $1), (SELECT created FROM consilience.space WHERE space = $1), 0),
        fact.last),
    fact.last
FROM (SELECT coalesce((SELECT seq FROM consilience.fact ORDER BY seq DESC LIMIT 1), 0) AS last) fact
