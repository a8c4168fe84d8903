SELECT k.contributor, p.body
FROM consilience.slice_body k
LEFT JOIN consilience.slice_body p ON p.digest = k.digest AND p.space = k.space AND p.page = $2
WHERE k.digest = $1 AND k.page = 0 AND k.kept_at >= clock_timestamp() - interval '1 day'
