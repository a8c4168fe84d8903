SELECT seq, envelope FROM consilience.applied_delta WHERE space = $1 AND seq BETWEEN $2 AND $3
