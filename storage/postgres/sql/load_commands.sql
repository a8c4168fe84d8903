SELECT j.command_id FROM unnest($2::bytea[]) AS n (id)
CROSS JOIN LATERAL (SELECT command_id FROM consilience.judgement WHERE space = $1 AND command_id = n.id OFFSET 0) j
