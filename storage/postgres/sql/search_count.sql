INSERT INTO consilience.search_word AS w (space, word, contents)
SELECT $1, t.word, t.contents FROM unnest($2::bigint[], $3::int[]) AS t (word, contents)
ON CONFLICT (space, word) DO UPDATE SET contents = w.contents + excluded.contents
