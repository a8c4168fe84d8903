DELETE FROM consilience.slice_body
WHERE kept_at < clock_timestamp() - interval '1 day'
   OR space = $1 AND contributor = $2 AND digest NOT IN (
       SELECT digest FROM consilience.slice_body WHERE space = $1 AND contributor = $2 AND page = 0 ORDER BY kept_at DESC LIMIT $3)
