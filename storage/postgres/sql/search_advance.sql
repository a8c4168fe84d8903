UPDATE consilience.search_mark SET record = $2, contents = contents + $3 WHERE space = $1
