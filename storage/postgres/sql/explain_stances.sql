SELECT contributor, contributor_name, stance, counted, coalesce(why_not_counted, ''), base::text, reputation::text, depth, effective::text,
    coalesce(record_id, ''), coalesce(delta_id, ''), coalesce(at, 'epoch')
FROM memory.provenance WHERE space = $1 AND item_id = $2
ORDER BY counted DESC, provenance.effective DESC, contributor, revision
