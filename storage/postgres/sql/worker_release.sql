UPDATE consilience.position SET owner = '' WHERE partition = $1 AND owner = $2
