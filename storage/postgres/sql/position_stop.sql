UPDATE consilience.position SET stopped = $2 WHERE partition = $1
