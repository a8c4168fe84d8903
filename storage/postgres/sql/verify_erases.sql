SELECT seq, envelope FROM consilience.judgement WHERE space = $1 AND kind = 'erase' ORDER BY seq
