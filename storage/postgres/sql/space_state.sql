SELECT last_seq, time, first_delta, reputation_policy FROM consilience.space_state WHERE space = $1
