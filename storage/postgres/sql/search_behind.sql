SELECT m.space FROM consilience.search_mark m
WHERE m.record < coalesce((SELECT r.record FROM consilience.record r WHERE r.space = m.space ORDER BY r.record DESC LIMIT 1), 0)
ORDER BY m.space
