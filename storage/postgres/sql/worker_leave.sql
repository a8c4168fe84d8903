DELETE FROM consilience.worker WHERE name = $1
