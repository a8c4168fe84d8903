SELECT seq, at, subject, refusal, raw FROM consilience.fact WHERE seq > $1 ORDER BY seq
