SELECT coalesce((SELECT last_seq FROM consilience.space_state WHERE space = $1),
                (SELECT created FROM consilience.space WHERE space = $1), 0)
