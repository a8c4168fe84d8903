SELECT coalesce((SELECT r.record FROM consilience.record r WHERE r.space = $1 ORDER BY r.record DESC LIMIT 1), 0),
    coalesce((SELECT m.record FROM consilience.search_mark m WHERE m.space = $1), 0)
