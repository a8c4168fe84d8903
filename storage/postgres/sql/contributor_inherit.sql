UPDATE consilience.contributor SET origin = $2, spaces = $3 WHERE root = $1
