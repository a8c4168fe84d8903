UPDATE consilience.position SET owner = '' WHERE owner = $1
