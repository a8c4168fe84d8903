SELECT command_id FROM consilience.judgement WHERE space = $1 AND command_id = ANY ($2::bytea[])
