INSERT INTO sequence (space, last) VALUES (?, 1)
ON CONFLICT (space) DO UPDATE SET last = last + 1
RETURNING last;
