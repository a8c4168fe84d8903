SELECT item_id, coalesce(content, ''), confidence::text, belief::text, authoritative, status, supporters, doubters, coalesce(tainted, false)
FROM memory.items WHERE space = $1
ORDER BY items.belief DESC, item_id LIMIT $2
