-- The text of a claim is its content.
UPDATE consilience.item i SET claim_subject = NULL, claim_predicate = NULL, claim_scope = NULL, claim_value = NULL
FROM unnest($2::smallint[], $3::bytea[]) AS e (kind, hash)
JOIN consilience.content c ON c.space = $1 AND c.kind = e.kind AND c.hash = e.hash
WHERE i.space = $1 AND i.item = c.item AND i.kind = e.kind AND i.content_hash = e.hash
