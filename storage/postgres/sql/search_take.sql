INSERT INTO consilience.search (space, content, item, words)
SELECT $1, t.content, t.item, string_to_array(t.words, ' ')::bigint[]
FROM unnest($2::bigint[], $3::bigint[], $4::text[]) AS t (content, item, words)
ON CONFLICT DO NOTHING
