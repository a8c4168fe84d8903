SELECT kind, hash, judgement, judged_seq, judged_record
FROM consilience.content WHERE space = $1 AND judgement <> 0
ORDER BY kind, hash
