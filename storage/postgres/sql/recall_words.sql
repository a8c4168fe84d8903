SELECT w.word, coalesce((SELECT s.contents FROM consilience.search_word s WHERE s.space = $1 AND s.word = w.word), 0),
    coalesce((SELECT m.contents FROM consilience.search_mark m WHERE m.space = $1), 0)
FROM unnest($2::bigint[]) AS w (word)
