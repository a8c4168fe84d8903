-- Claims that may have many values have no key hash, and are no rivals.
SELECT q.item
FROM (
    (SELECT c.item, c.confidence FROM consilience.claim c
     WHERE c.space = $1 AND c.key_hash = $2
     ORDER BY c.confidence DESC, c.item LIMIT $6)
    UNION ALL
    (SELECT i.item, i.confidence FROM consilience.item i
     WHERE i.claim_subject = $3 AND i.claim_predicate = $4 AND i.claim_scope = $5 AND i.space + 0 = $1
         AND i.key_hash IS NULL AND i.status = 0 AND i.verdict <> 2
     ORDER BY i.confidence DESC, i.item LIMIT $6)) q
ORDER BY q.confidence DESC, q.item LIMIT $6
