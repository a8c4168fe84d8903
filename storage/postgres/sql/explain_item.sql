SELECT space, item_id, coalesce(content, ''), kind, confidence::text, support::text, doubt::text, belief::text, status, authoritative,
    coalesce(tainted, false), groups, coalesce(claim_subject, ''), coalesce(claim_predicate, ''), coalesce(claim_value, '')
FROM memory.items WHERE space = $1 AND item_id = $2
