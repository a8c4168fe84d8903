INSERT INTO consilience.search_mark (space, record, contents) VALUES ($1, 0, 0) ON CONFLICT DO NOTHING
