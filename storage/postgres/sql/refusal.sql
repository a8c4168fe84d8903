SELECT reason, detail FROM consilience.rejection WHERE seq = $1
UNION ALL
SELECT refusal, '' FROM consilience.fact WHERE seq = $1 AND refusal <> ''
LIMIT 1
