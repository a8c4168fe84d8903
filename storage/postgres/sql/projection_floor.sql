UPDATE consilience.projection_floor SET at = greatest(at, $1)
