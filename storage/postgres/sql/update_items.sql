UPDATE consilience.item i
SET confidence = n.confidence, support = n.support, doubt = n.doubt, groups = n.groups, status = n.status, verdict = n.verdict,
    head = n.head, supporters = n.supporters, doubters = n.doubters, updated = n.updated, revision = n.revision
FROM unnest($2::bigint[], $3::int[], $4::int[], $5::int[], $6::int[], $7::smallint[], $8::smallint[], $9::bigint[],
    $10::int[], $11::int[], $12::bigint[], $13::bigint[])
    AS n (item, confidence, support, doubt, groups, status, verdict, head, supporters, doubters, updated, revision)
WHERE i.space = $1 AND i.item = n.item
