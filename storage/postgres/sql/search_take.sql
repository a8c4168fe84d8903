INSERT INTO consilience.search (space, content, words)
SELECT $1, t.content, string_to_array(t.words, ' ')::bigint[]
FROM unnest($2::bigint[], $3::text[]) AS t (content, words)
ON CONFLICT DO NOTHING
