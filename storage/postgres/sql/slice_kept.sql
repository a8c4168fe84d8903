SELECT contributor, body FROM consilience.slice_body WHERE digest = $1 AND kept_at >= clock_timestamp() - interval '1 day'
