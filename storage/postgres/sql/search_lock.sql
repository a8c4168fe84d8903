SELECT record FROM consilience.search_mark WHERE space = $1 FOR UPDATE
