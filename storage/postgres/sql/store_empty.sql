SELECT NOT EXISTS (SELECT FROM consilience.fact) AND NOT EXISTS (SELECT FROM consilience.position WHERE seq > 0)
