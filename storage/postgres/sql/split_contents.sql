SELECT record, content FROM consilience.record WHERE space = $1 AND record = ANY ($2::bigint[]) AND content IS NOT NULL
