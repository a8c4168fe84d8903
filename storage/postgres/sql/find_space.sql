SELECT space FROM consilience.space WHERE name = $1
