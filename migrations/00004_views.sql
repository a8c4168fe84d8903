-- What analysts read: schema memory, views only, everything in the form people
-- see. Numbers that depend on others (belief, authority, what a newer quarantine
-- hides) are computed here, never stored (merge.md). Costly columns are scalar
-- subqueries, so that ORDER BY … LIMIT evaluates them for the rows it returns only.

-- +goose Up
CREATE SCHEMA memory;
COMMENT ON SCHEMA memory IS 'Consilience for analysts: read-only views of what the fleet remembers, who said it and why it is believed.';

-- +goose StatementBegin
CREATE FUNCTION consilience.outweighs(x bigint, y bigint) RETURNS bool
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ SELECT (1000000 - x)::numeric * 1000000000000000000 <= (1000000 - y)::numeric ^ 4 $$;
-- +goose StatementEnd
COMMENT ON FUNCTION consilience.outweighs(bigint, bigint) IS 'Rule W of merge.md: whether support x has 80 % of the evidence against support y, both millionths.';

-- +goose StatementBegin
CREATE FUNCTION consilience.kind_name(kind smallint) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ SELECT (ARRAY['text', 'structured', 'binary'])[kind + 1] $$;
-- +goose StatementEnd
COMMENT ON FUNCTION consilience.kind_name(smallint) IS 'Name of a kind of content.';

-- +goose StatementBegin
CREATE FUNCTION consilience.shown(kind smallint, hash bytea, content bytea) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ SELECT CASE
    WHEN kind = 2 THEN encode(content, 'base64')
    WHEN sha256(content) = hash AND position('\x00'::bytea IN content) = 0 THEN convert_from(content, 'UTF8')
    ELSE encode(content, 'escape') END $$;
-- +goose StatementEnd
COMMENT ON FUNCTION consilience.shown(smallint, bytea, bytea) IS 'Content as text: as it is if it has the hash that was checked at the merge, escaped if it was altered since, base64 if binary. It never fails, so one bad row breaks no view.';

-- +goose StatementBegin
CREATE FUNCTION consilience.refs(forward bytea) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ARRAY(
    SELECT 'rec:' || consilience.b64(substring(forward FROM 40 + h.size + k * 69 + 3 FOR 32))
    FROM (SELECT CASE get_byte(forward, 39)
              WHEN 152 THEN 2 WHEN 153 THEN 3 ELSE 1 END AS size,
          CASE get_byte(forward, 39)
              WHEN 152 THEN get_byte(forward, 40)
              WHEN 153 THEN get_byte(forward, 40) * 256 + get_byte(forward, 41)
              ELSE get_byte(forward, 39) - 128 END AS pairs) h,
         generate_series(0, h.pairs - 1) k
    ORDER BY k);
-- +goose StatementEnd
COMMENT ON FUNCTION consilience.refs(bytea) IS 'Record ids of the relational pairs in a forward part. Its CBOR has one form (wire.md), so places are fixed: the pairs begin at byte 40, 69 bytes each.';

CREATE VIEW consilience.mask AS
SELECT target AS contributor, target, since, whole, seq, 0::smallint AS distance FROM consilience.quarantine WHERE until IS NULL
UNION ALL
SELECT a.contributor, q.target, q.since, q.whole, q.seq, a.distance
FROM consilience.quarantine q JOIN consilience.ancestry a ON a.ancestor = q.target WHERE q.until IS NULL;
COMMENT ON VIEW consilience.mask IS 'Quarantines in force, for every contributor they cover.';
COMMENT ON COLUMN consilience.mask.contributor IS 'Contributor that is covered.';
COMMENT ON COLUMN consilience.mask.target IS 'Contributor whose quarantine covers it.';
COMMENT ON COLUMN consilience.mask.since IS 'Statements from this stream sequence on are masked.';
COMMENT ON COLUMN consilience.mask.whole IS 'Whether shared items fall too.';
COMMENT ON COLUMN consilience.mask.seq IS 'Stream sequence of the fact.';
COMMENT ON COLUMN consilience.mask.distance IS 'Derivations between the two.';

CREATE VIEW consilience.founding AS
SELECT i.space, i.item, i.item_id, i.content_hash, r.content
FROM consilience.item i
CROSS JOIN LATERAL (
    SELECT content FROM consilience.record WHERE space = i.space AND record = i.item
    UNION ALL
    SELECT content FROM consilience.record
    WHERE ('rec:' || consilience.b64(record_id)) COLLATE "C" = ('rec:' || consilience.b64(i.item_id)) AND space + 0 = i.space
    LIMIT 1) r
WHERE i.kind = 0 AND r.content IS NOT NULL;
COMMENT ON VIEW consilience.founding IS 'Items that texts founded, and the texts, without those that were erased. An item that a split made has the number of no record, and the id of one.';
COMMENT ON COLUMN consilience.founding.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.founding.item IS 'Number of the item.';
COMMENT ON COLUMN consilience.founding.item_id IS 'Item id: record id of its founding record.';
COMMENT ON COLUMN consilience.founding.content_hash IS 'Hash of the text.';
COMMENT ON COLUMN consilience.founding.content IS 'The text.';

CREATE VIEW consilience.item_now AS
SELECT i.*, s.name, s.authority, s.near_zero,
    CASE WHEN i.status <> 0 THEN true
         WHEN (SELECT EXISTS (SELECT FROM consilience.quarantine q WHERE q.until IS NULL AND q.seq > (SELECT min(p.seq) FROM consilience.position p)))
         THEN EXISTS (
             SELECT FROM consilience.statement st
             JOIN consilience.mask m ON m.contributor = st.contributor AND st.seq >= m.since
             JOIN consilience.position p ON p.partition = s.partition AND m.seq > p.seq
             WHERE st.space = i.space AND st.item = i.item AND st.side = 0
               -- As the merge will: all they ever proposed, or what no clean stance carries.
               AND (m.whole OR NOT st.echo AND NOT EXISTS (
                   SELECT FROM consilience.statement clean
                   WHERE clean.space = i.space AND clean.item = i.item AND clean.side = 0 AND NOT clean.echo
                     AND NOT EXISTS (SELECT FROM consilience.mask n WHERE n.contributor = clean.contributor AND clean.seq >= n.since)
                     AND NOT EXISTS (
                         SELECT FROM consilience.statement newer
                         WHERE newer.space = i.space AND newer.item = i.item AND newer.contributor = clean.contributor
                           AND (newer.sequence, newer.place) > (clean.sequence, clean.place)
                           AND NOT EXISTS (SELECT FROM consilience.mask n WHERE n.contributor = newer.contributor AND newer.seq >= n.since)))))
         ELSE false END AS fallen,
    -- Written out: a function called with a subquery is not inlined, and costs more
    -- than all else here.
    (SELECT 1000000 * i.confidence::bigint * (1000000 - r.strongest) / (1000000000000 - i.confidence * r.strongest)
     FROM (SELECT greatest(
        CASE WHEN i.key_hash IS NOT NULL THEN (
            SELECT r.confidence FROM consilience.claim r
            WHERE r.space = i.space AND r.key_hash = i.key_hash AND r.value_hash <> i.value_hash
            ORDER BY r.confidence DESC LIMIT 1) END,
        (SELECT max(r.confidence) FROM consilience.rival v JOIN consilience.item r ON r.space = v.space AND r.item = v.other
         WHERE v.space = i.space AND v.item = i.item AND r.status = 0 AND r.verdict <> 2),
        0)::bigint AS strongest OFFSET 0) r) AS belief,
    i.key_hash IS NOT NULL AND EXISTS (
        SELECT FROM consilience.claim r
        WHERE r.space = i.space AND r.key_hash = i.key_hash AND r.confirmed AND r.value_hash <> i.value_hash)
    OR EXISTS (
        SELECT FROM consilience.rival v JOIN consilience.item r ON r.space = v.space AND r.item = v.other
        WHERE v.space = i.space AND v.item = i.item AND r.status = 0 AND r.verdict = 1) AS rival_confirmed,
    greatest(
        CASE WHEN i.key_hash IS NOT NULL THEN (
            SELECT max(r.support) FROM consilience.claim r
            WHERE r.space = i.space AND r.key_hash = i.key_hash AND r.value_hash <> i.value_hash) END,
        (SELECT max(r.support) FROM consilience.rival v JOIN consilience.item r ON r.space = v.space AND r.item = v.other
         WHERE v.space = i.space AND v.item = i.item AND r.status = 0 AND r.verdict <> 2)) AS rival_support
FROM consilience.item i JOIN consilience.space s ON s.space = i.space;
COMMENT ON VIEW consilience.item_now IS 'Items with what their rivals and newer quarantines make of them.';
COMMENT ON COLUMN consilience.item_now.fallen IS 'Quarantined, or about to be: a quarantine that the partition has not reached hides its items already.';
COMMENT ON COLUMN consilience.item_now.belief IS 'Confidence against that of its strongest rival, millionths (rules A and B of merge.md).';
COMMENT ON COLUMN consilience.item_now.rival_confirmed IS 'Whether a rival is confirmed.';
COMMENT ON COLUMN consilience.item_now.rival_support IS 'Largest support among its rivals; null if none.';

CREATE VIEW memory.items AS
SELECT i.name AS space,
    ('item:' || consilience.b64(i.item_id)) COLLATE "C" AS item_id,
    consilience.kind_name(i.kind) AS kind,
    (SELECT consilience.shown(r.kind, r.content_hash, r.content) FROM consilience.record r
     WHERE r.space = i.space AND r.record = i.head) AS content,
    consilience.ppm(CASE WHEN i.fallen THEN 0 ELSE i.confidence END)::numeric(7,6) AS confidence,
    consilience.ppm(CASE WHEN i.fallen THEN 0 ELSE i.belief END)::numeric(7,6) AS belief,
    -- Rivals are asked about last: a key may have thousands of values.
    CASE WHEN i.confidence < i.near_zero OR i.verdict = 2 OR i.fallen THEN false
         WHEN NOT CASE
             WHEN i.verdict = 1 THEN true
             WHEN i.authority = 'open' THEN i.belief >= 500000
             WHEN i.groups < 2 THEN false
             WHEN i.authority = 'strict' THEN i.support >= 900000 AND coalesce(consilience.outweighs(i.support, i.rival_support), true)
             ELSE i.belief >= 900000 END THEN false
         ELSE NOT i.rival_confirmed END AS authoritative,
    CASE WHEN i.fallen THEN 'quarantined'
         WHEN i.verdict = 2 THEN 'contradicted'
         WHEN i.verdict = 1 AND NOT i.rival_confirmed THEN 'confirmed'
         ELSE 'active' END AS status,
    i.supporters, i.doubters, i.groups,
    (SELECT 'nhe:' || consilience.b64(c.id) FROM consilience.record r JOIN consilience.contributor c ON c.contributor = r.contributor
     WHERE r.space = i.space AND r.record = i.item) AS proposer,
    (SELECT 'item:' || consilience.b64(o.item_id) FROM consilience.back_reference b
     JOIN consilience.record r ON r.space = b.space AND r.record = b.record
     JOIN consilience.item o ON o.space = r.space AND o.item = r.item
     WHERE b.space = i.space AND b.later = i.item AND b.corrects ORDER BY b.record LIMIT 1) AS revises,
    (SELECT r.tainted FROM consilience.record r WHERE r.space = i.space AND r.record = i.head) AS tainted,
    i.claim_subject, i.claim_predicate, i.claim_scope, i.claim_value,
    consilience.ppm(i.support)::numeric(7,6) AS support, consilience.ppm(i.doubt)::numeric(7,6) AS doubt,
    consilience.at(i.created) AS created_at, consilience.at(i.updated) AS updated_at, i.revision,
    (SELECT 'rec:' || consilience.b64(r.record_id) FROM consilience.record r WHERE r.space = i.space AND r.record = i.head) AS head_id
FROM consilience.item_now i;
COMMENT ON VIEW memory.items IS 'What the fleet remembers: one row for each item of a space.';
COMMENT ON COLUMN memory.items.space IS 'Name of the space.';
COMMENT ON COLUMN memory.items.item_id IS 'Item id, "item:" and 43 characters.';
COMMENT ON COLUMN memory.items.kind IS 'text, structured or binary.';
COMMENT ON COLUMN memory.items.content IS 'Content that is shown: that of the head record. Binary content in base64; null once erased.';
COMMENT ON COLUMN memory.items.confidence IS 'What its independent supports and doubts give, 0 to 0.999.';
COMMENT ON COLUMN memory.items.belief IS 'Confidence against its strongest rival.';
COMMENT ON COLUMN memory.items.authoritative IS 'Whether the policy of the space lets a reader rely on it.';
COMMENT ON COLUMN memory.items.status IS 'active, confirmed, contradicted or quarantined.';
COMMENT ON COLUMN memory.items.supporters IS 'Contributors that stand behind it first-hand; the quarantined do not.';
COMMENT ON COLUMN memory.items.doubters IS 'Contributors that stand against it; the quarantined do not.';
COMMENT ON COLUMN memory.items.groups IS 'Independent groups that support it at or above near-zero.';
COMMENT ON COLUMN memory.items.proposer IS 'Contributor that founded it.';
COMMENT ON COLUMN memory.items.revises IS 'Item that its founding record corrects; null if none.';
COMMENT ON COLUMN memory.items.tainted IS 'Whether what is shown rests, at any depth, on a quarantined record.';
COMMENT ON COLUMN memory.items.claim_subject IS 'Subject of a claim, folded: case and blanks at the ends do not matter. Null if it is no claim.';
COMMENT ON COLUMN memory.items.claim_predicate IS 'Predicate of a claim, folded.';
COMMENT ON COLUMN memory.items.claim_scope IS 'Scope of a claim, folded; empty if it has none.';
COMMENT ON COLUMN memory.items.claim_value IS 'Value of a claim, canonical JSON.';
COMMENT ON COLUMN memory.items.support IS 'Combined support of the counted groups.';
COMMENT ON COLUMN memory.items.doubt IS 'Combined doubt of the counted groups.';
COMMENT ON COLUMN memory.items.created_at IS 'When it was founded.';
COMMENT ON COLUMN memory.items.updated_at IS 'When it last changed.';
COMMENT ON COLUMN memory.items.revision IS 'Stream sequence of the last entry that changed it.';
COMMENT ON COLUMN memory.items.head_id IS 'Record whose content is shown.';

CREATE VIEW memory.provenance AS
SELECT s.name AS space,
    ('item:' || consilience.b64(i.item_id)) COLLATE "C" AS item_id,
    'nhe:' || consilience.b64(c.id) AS contributor,
    c.name AS contributor_name,
    CASE st.side WHEN 0 THEN 'support' ELSE 'doubt' END AS stance,
    st.counted = 0 AND m.masked IS NULL AS counted,
    CASE WHEN m.masked THEN 'masked'
         ELSE (ARRAY['echo', 'same_group', 'pool', 'masked', 'locked', 'near_zero', 'withdrawn'])[st.counted] END AS why_not_counted,
    consilience.ppm(st.value)::numeric(7,6) AS base,
    consilience.ppm(st.reputation)::numeric(7,6) AS reputation,
    st.depth,
    consilience.ppm(st.effective)::numeric(7,6) AS effective,
    (SELECT 'rec:' || consilience.b64(r.record_id) FROM consilience.record r WHERE r.space = st.space AND r.record = st.record) AS record_id,
    'delta:' || consilience.b64(d.delta_id) AS delta_id,
    consilience.at(d.at) AS at,
    st.seq AS revision
FROM consilience.statement st
JOIN consilience.space s ON s.space = st.space
JOIN consilience.item i ON i.space = st.space AND i.item = st.item
JOIN consilience.contributor c ON c.contributor = st.contributor
LEFT JOIN consilience.applied_delta d ON d.space = st.space AND d.contributor = st.contributor AND d.sequence = st.sequence
LEFT JOIN LATERAL (SELECT true AS masked FROM consilience.mask m WHERE m.contributor = st.contributor AND st.seq >= m.since LIMIT 1) m ON true;
COMMENT ON VIEW memory.provenance IS 'Who said what of an item, whether it counts, and why not.';
COMMENT ON COLUMN memory.provenance.space IS 'Name of the space.';
COMMENT ON COLUMN memory.provenance.item_id IS 'Item.';
COMMENT ON COLUMN memory.provenance.contributor IS 'Who said it.';
COMMENT ON COLUMN memory.provenance.contributor_name IS 'Its name; empty if none.';
COMMENT ON COLUMN memory.provenance.stance IS 'support or doubt.';
COMMENT ON COLUMN memory.provenance.counted IS 'Whether it counts as one of the independent voices of the item.';
COMMENT ON COLUMN memory.provenance.why_not_counted IS 'echo (it had been told so), same_group (a stronger stance of its group counts), pool (newcomers count as one), masked (quarantined), locked, near_zero, withdrawn (it said something newer); null if it counts.';
COMMENT ON COLUMN memory.provenance.base IS 'Confidence, or strength of the doubt, that it stated itself.';
COMMENT ON COLUMN memory.provenance.reputation IS 'Its reputation when this was merged.';
COMMENT ON COLUMN memory.provenance.depth IS 'Its derivations from a root when this was merged.';
COMMENT ON COLUMN memory.provenance.effective IS 'What it weighs: never above base, never above reputation.';
COMMENT ON COLUMN memory.provenance.record_id IS 'Record it proposed; null for a doubt.';
COMMENT ON COLUMN memory.provenance.delta_id IS 'Signed delta that says so.';
COMMENT ON COLUMN memory.provenance.at IS 'When it was merged.';
COMMENT ON COLUMN memory.provenance.revision IS 'Stream sequence of that delta.';

CREATE VIEW memory.lineage AS
SELECT 'nhe:' || consilience.b64(c.id) AS contributor, 'nhe:' || consilience.b64(p.id) AS ancestor, a.distance::int AS distance
FROM consilience.ancestry a
JOIN consilience.contributor c ON c.contributor = a.contributor
JOIN consilience.contributor p ON p.contributor = a.ancestor;
COMMENT ON VIEW memory.lineage IS 'Which contributor derives from which, at every distance.';
COMMENT ON COLUMN memory.lineage.contributor IS 'The derived contributor.';
COMMENT ON COLUMN memory.lineage.ancestor IS 'One it derives from.';
COMMENT ON COLUMN memory.lineage.distance IS 'Longest way between the two, in derivations.';

CREATE VIEW memory.contributors AS
SELECT 'nhe:' || consilience.b64(c.id) AS contributor, c.name,
    CASE WHEN m.target IS NOT NULL THEN 'quarantined' WHEN c.retired IS NOT NULL THEN 'retired' ELSE 'active' END AS status,
    ARRAY(SELECT 'nhe:' || consilience.b64(p.id) FROM consilience.contributor p WHERE p.contributor = ANY (c.parents) ORDER BY p.contributor) AS parents,
    c.depth::int AS depth,
    consilience.at(c.enrolled_at) AS enrolled_at, consilience.at(c.retired_at) AS retired_at,
    (SELECT 'nhe:' || consilience.b64(q.id) FROM consilience.contributor q WHERE q.contributor = m.target) AS quarantined_by,
    nullif(c.origin, '') AS origin, c.vouched, c.spaces,
    (SELECT 'nhe:' || consilience.b64(r.id) FROM consilience.contributor r WHERE r.contributor = c.root) AS root
FROM consilience.contributor c
LEFT JOIN LATERAL (SELECT m.target FROM consilience.mask m WHERE m.contributor = c.contributor ORDER BY m.distance, m.target LIMIT 1) m ON true;
COMMENT ON VIEW memory.contributors IS 'Who may contribute, or could.';
COMMENT ON COLUMN memory.contributors.contributor IS 'Contributor id, "nhe:" and 43 characters.';
COMMENT ON COLUMN memory.contributors.name IS 'Name it was enrolled with.';
COMMENT ON COLUMN memory.contributors.status IS 'active, retired or quarantined.';
COMMENT ON COLUMN memory.contributors.parents IS 'Contributors it derives from directly.';
COMMENT ON COLUMN memory.contributors.depth IS 'Longest way to its root.';
COMMENT ON COLUMN memory.contributors.enrolled_at IS 'When it became known.';
COMMENT ON COLUMN memory.contributors.retired_at IS 'When it was retired; null if it was not.';
COMMENT ON COLUMN memory.contributors.quarantined_by IS 'The contributor whose quarantine covers it, itself or an ancestor; null if none.';
COMMENT ON COLUMN memory.contributors.origin IS 'Origin: all of one count as one voice; null if none was given.';
COMMENT ON COLUMN memory.contributors.vouched IS 'Whether an operator vouched for it.';
COMMENT ON COLUMN memory.contributors.spaces IS 'Spaces it is enrolled for.';
COMMENT ON COLUMN memory.contributors.root IS 'The enrolled contributor it derives from at last.';

CREATE VIEW memory.reputations AS
SELECT s.name AS space, 'nhe:' || consilience.b64(c.id) AS contributor, c.name AS contributor_name,
    consilience.ppm(least(
        r.own, CASE WHEN r.locked_for > 0 THEN 50000 END,
        (SELECT min(least(p.own, CASE WHEN p.locked_for > 0 THEN 50000 END))
         FROM consilience.ancestry a JOIN consilience.reputation p ON p.space = r.space AND p.contributor = a.ancestor
         WHERE a.contributor = r.contributor)))::numeric(7,6) AS reputation,
    s.reputation AS policy, r.confirmed, r.contradicted, r.corroborated, r.accepted, r.proven, r.locked_for > 0 AS locked
FROM consilience.reputation r
JOIN consilience.space s ON s.space = r.space
JOIN consilience.contributor c ON c.contributor = r.contributor;
COMMENT ON VIEW memory.reputations IS 'What each contributor''s word weighs in each space, and on what evidence.';
COMMENT ON COLUMN memory.reputations.space IS 'Name of the space.';
COMMENT ON COLUMN memory.reputations.contributor IS 'Whose it is.';
COMMENT ON COLUMN memory.reputations.contributor_name IS 'Its name.';
COMMENT ON COLUMN memory.reputations.reputation IS 'Value now: by its own evidence, never above what its parents have.';
COMMENT ON COLUMN memory.reputations.policy IS 'Reputation policy of the space.';
COMMENT ON COLUMN memory.reputations.confirmed IS 'Contents of it that operators confirmed.';
COMMENT ON COLUMN memory.reputations.contradicted IS 'Contents it supported that operators contradicted.';
COMMENT ON COLUMN memory.reputations.corroborated IS 'Contents of it that a proven other group stated later.';
COMMENT ON COLUMN memory.reputations.accepted IS 'Contents of it that were accepted.';
COMMENT ON COLUMN memory.reputations.proven IS 'Whether it counts as proven.';
COMMENT ON COLUMN memory.reputations.locked IS 'Whether the breaker locked it after contradictions.';

CREATE VIEW memory.reputation_history AS
SELECT s.name AS space, 'nhe:' || consilience.b64(c.id) AS contributor, consilience.at(h.at) AS at,
    consilience.ppm(h.before)::numeric(7,6) AS before, consilience.ppm(h.after)::numeric(7,6) AS after, h.cause, h.cause_id, h.seq AS revision
FROM consilience.reputation_history h
JOIN consilience.space s ON s.space = h.space
JOIN consilience.contributor c ON c.contributor = h.contributor;
COMMENT ON VIEW memory.reputation_history IS 'How reputations came to be what they are.';
COMMENT ON COLUMN memory.reputation_history.space IS 'Name of the space.';
COMMENT ON COLUMN memory.reputation_history.contributor IS 'Whose reputation.';
COMMENT ON COLUMN memory.reputation_history.at IS 'When it changed.';
COMMENT ON COLUMN memory.reputation_history.before IS 'Value before.';
COMMENT ON COLUMN memory.reputation_history.after IS 'Value after.';
COMMENT ON COLUMN memory.reputation_history.cause IS 'Kind of the entry that changed it.';
COMMENT ON COLUMN memory.reputation_history.cause_id IS 'Id of that entry.';
COMMENT ON COLUMN memory.reputation_history.revision IS 'Stream sequence of that entry.';

CREATE VIEW memory.confidence_history AS
SELECT s.name AS space, ('item:' || consilience.b64(i.item_id)) COLLATE "C" AS item_id, i.founded AS revision, consilience.at(i.created) AS at,
    0::numeric(7,6) AS before, consilience.ppm(i.founding_confidence)::numeric(7,6) AS after, 'delta' AS cause,
    (SELECT 'delta:' || consilience.b64(d.delta_id) FROM consilience.applied_delta d WHERE d.space = i.space AND d.seq = i.founded) AS cause_id
FROM consilience.item i JOIN consilience.space s ON s.space = i.space
UNION ALL
SELECT s.name, ('item:' || consilience.b64(i.item_id)) COLLATE "C", h.seq, consilience.at(h.at),
    consilience.ppm(h.before)::numeric(7,6), consilience.ppm(h.after)::numeric(7,6), h.cause, h.cause_id
FROM consilience.confidence_history h
JOIN consilience.item i ON i.space = h.space AND i.item = h.item
JOIN consilience.space s ON s.space = h.space;
COMMENT ON VIEW memory.confidence_history IS 'How confidences came to be what they are, from the founding on: what was believed at a time is the last row at or before it.';
COMMENT ON COLUMN memory.confidence_history.space IS 'Name of the space.';
COMMENT ON COLUMN memory.confidence_history.item_id IS 'Item.';
COMMENT ON COLUMN memory.confidence_history.revision IS 'Stream sequence of the entry that changed it.';
COMMENT ON COLUMN memory.confidence_history.at IS 'When it changed.';
COMMENT ON COLUMN memory.confidence_history.before IS 'Confidence before; 0 at the founding.';
COMMENT ON COLUMN memory.confidence_history.after IS 'Confidence after.';
COMMENT ON COLUMN memory.confidence_history.cause IS 'Kind of the entry that changed it.';
COMMENT ON COLUMN memory.confidence_history.cause_id IS 'Id of that entry.';

CREATE VIEW memory.records AS
SELECT s.name AS space, ('rec:' || consilience.b64(r.record_id)) COLLATE "C" AS record_id,
    (SELECT 'item:' || consilience.b64(i.item_id) FROM consilience.item i WHERE i.space = r.space AND i.item = r.item) AS item_id,
    'nhe:' || consilience.b64(c.id) AS contributor, consilience.kind_name(r.kind) AS kind,
    consilience.b64(r.content_hash) AS content_hash,
    (ARRAY['text-nfc-15.0', 'json-rfc8785', 'binary'])[r.kind + 1] AS canonical_form,
    consilience.refs(r.forward) AS refs, consilience.at(r.written_at) AS written_at,
    consilience.shown(r.kind, r.content_hash, r.content) AS content,
    r.tainted, r.erased, r.seq AS revision
FROM consilience.record r
JOIN consilience.space s ON s.space = r.space
JOIN consilience.contributor c ON c.contributor = r.contributor;
COMMENT ON VIEW memory.records IS 'Records as contributors signed them; they never change.';
COMMENT ON COLUMN memory.records.space IS 'Name of the space.';
COMMENT ON COLUMN memory.records.record_id IS 'Record id, "rec:" and 43 characters.';
COMMENT ON COLUMN memory.records.item_id IS 'Item that its content belongs to.';
COMMENT ON COLUMN memory.records.contributor IS 'Who wrote it.';
COMMENT ON COLUMN memory.records.kind IS 'text, structured or binary.';
COMMENT ON COLUMN memory.records.content_hash IS 'SHA-256 of the canonical content.';
COMMENT ON COLUMN memory.records.canonical_form IS 'Canonical form of the content.';
COMMENT ON COLUMN memory.records.refs IS 'Records that its relational pairs name.';
COMMENT ON COLUMN memory.records.written_at IS 'When it was written, as its author says.';
COMMENT ON COLUMN memory.records.content IS 'Content as text; binary in base64, null once erased.';
COMMENT ON COLUMN memory.records.tainted IS 'Whether it rests, at any depth, on a quarantined record.';
COMMENT ON COLUMN memory.records.erased IS 'Whether its content was erased.';
COMMENT ON COLUMN memory.records.revision IS 'Stream sequence of the delta that brought it.';

CREATE VIEW memory.rivals AS
SELECT s.name AS space, ('item:' || consilience.b64(i.item_id)) COLLATE "C" AS item_id,
    'item:' || consilience.b64(o.item_id) AS other_id, 'claim' AS why
FROM consilience.item i
JOIN consilience.claim c ON c.space = i.space AND c.key_hash = i.key_hash AND c.value_hash <> i.value_hash
JOIN consilience.item o ON o.space = c.space AND o.item = c.item
JOIN consilience.space s ON s.space = i.space
WHERE i.key_hash IS NOT NULL
UNION ALL
SELECT s.name, ('item:' || consilience.b64(i.item_id)) COLLATE "C", 'item:' || consilience.b64(o.item_id), v.why
FROM consilience.rival v
JOIN consilience.item i ON i.space = v.space AND i.item = v.item
JOIN consilience.item o ON o.space = v.space AND o.item = v.other AND o.status = 0 AND o.verdict <> 2
JOIN consilience.space s ON s.space = v.space;
COMMENT ON VIEW memory.rivals IS 'Items that exclude each other. The other item is one that counts against the item: active and not contradicted.';
COMMENT ON COLUMN memory.rivals.space IS 'Name of the space.';
COMMENT ON COLUMN memory.rivals.item_id IS 'Item.';
COMMENT ON COLUMN memory.rivals.other_id IS 'Its rival.';
COMMENT ON COLUMN memory.rivals.why IS 'claim (another value of one key), polarity, or declared by an operator.';

CREATE VIEW memory.related AS
SELECT s.name AS space, ('item:' || consilience.b64(i.item_id)) COLLATE "C" AS item_id,
    'item:' || consilience.b64(o.item_id) AS other_id, v.why
FROM consilience.related v
JOIN consilience.item i ON i.space = v.space AND i.item = v.item
JOIN consilience.item o ON o.space = v.space AND o.item = v.other
JOIN consilience.space s ON s.space = v.space
UNION ALL
SELECT s.name, ('item:' || consilience.b64(i.item_id)) COLLATE "C", 'item:' || consilience.b64(o.item_id), 'spelling'
FROM consilience.item i
CROSS JOIN LATERAL (
    SELECT c.item FROM consilience.claim c
    WHERE c.space = i.space AND c.key_hash = i.key_hash AND c.value_hash = i.value_hash AND c.item <> i.item
    ORDER BY c.confidence DESC, c.item LIMIT 8) c
JOIN consilience.item o ON o.space = i.space AND o.item = c.item
JOIN consilience.space s ON s.space = i.space
WHERE i.key_hash IS NOT NULL;
COMMENT ON VIEW memory.related IS 'Items that look alike and move no number. Of claims that state the same in another spelling, the other item is one of the eight most confident that are active and not contradicted.';
COMMENT ON COLUMN memory.related.space IS 'Name of the space.';
COMMENT ON COLUMN memory.related.item_id IS 'Item.';
COMMENT ON COLUMN memory.related.other_id IS 'The item it looks like.';
COMMENT ON COLUMN memory.related.why IS 'What keeps them apart: the check of the gate that refused, spelling (one claim, equal values, other letters), or split by an operator.';

CREATE VIEW memory.back_references AS
SELECT s.name AS space, ('rec:' || consilience.b64(r.record_id)) COLLATE "C" AS record_id,
    'rec:' || consilience.b64(l.record_id) AS later_record_id, consilience.b64(b.later_hash) AS later_content_hash, b.corrects
FROM consilience.back_reference b
JOIN consilience.record r ON r.space = b.space AND r.record = b.record
JOIN consilience.record l ON l.space = b.space AND l.record = b.later
JOIN consilience.space s ON s.space = b.space;
COMMENT ON VIEW memory.back_references IS 'Which later records refer to a record.';
COMMENT ON COLUMN memory.back_references.space IS 'Name of the space.';
COMMENT ON COLUMN memory.back_references.record_id IS 'Record that is referred to.';
COMMENT ON COLUMN memory.back_references.later_record_id IS 'Record that refers to it.';
COMMENT ON COLUMN memory.back_references.later_content_hash IS 'Content hash of the later record.';
COMMENT ON COLUMN memory.back_references.corrects IS 'Whether the later record corrects it.';

CREATE VIEW memory.exposures AS
SELECT s.name AS space, 'nhe:' || consilience.b64(c.id) AS contributor, ('item:' || consilience.b64(i.item_id)) COLLATE "C" AS item_id,
    consilience.at(x.at) AS first_served_at, x.how
FROM (SELECT DISTINCT ON (e.space, e.contributor, k.item) e.space, e.contributor, k.item, e.at, e.how
      FROM consilience.exposure e JOIN consilience.content k ON k.space = e.space AND k.kind = e.kind AND k.hash = e.hash
      ORDER BY e.space, e.contributor, k.item, e.seq) x
JOIN consilience.item i ON i.space = x.space AND i.item = x.item
JOIN consilience.contributor c ON c.contributor = x.contributor
JOIN consilience.space s ON s.space = x.space;
COMMENT ON VIEW memory.exposures IS 'Who was told what: items emitted to contributors by projections and record replies.';
COMMENT ON COLUMN memory.exposures.space IS 'Name of the space.';
COMMENT ON COLUMN memory.exposures.contributor IS 'Contributor it was emitted to.';
COMMENT ON COLUMN memory.exposures.item_id IS 'Item whose content was emitted.';
COMMENT ON COLUMN memory.exposures.first_served_at IS 'When for the first time.';
COMMENT ON COLUMN memory.exposures.how IS 'projection or record.';

CREATE VIEW memory.commands AS
SELECT NULL::text AS space, 'cmd:' || consilience.b64(f.command_id) AS command_id, f.kind, 'nhe:' || consilience.b64(f.signer) AS signer,
    f.target, f.reason, consilience.at(f.at) AS at,
    CASE WHEN f.refusal = '' THEN f.effect ELSE 'refused: ' || f.refusal END AS effect, f.seq AS revision
FROM consilience.fact f
UNION ALL
SELECT s.name, 'cmd:' || consilience.b64(j.command_id), j.kind, 'nhe:' || consilience.b64(j.signer),
    CASE WHEN j.kind = 'rival' THEN 'item:' || consilience.b64(j.record) || ' item:' || consilience.b64(j.other) ELSE 'rec:' || consilience.b64(j.record) END,
    j.reason, consilience.at(j.at), j.effect, j.seq
FROM consilience.judgement j JOIN consilience.space s ON s.space = j.space;
COMMENT ON VIEW memory.commands IS 'Everything operators and derivations changed, in the order of the log.';
COMMENT ON COLUMN memory.commands.space IS 'Name of the space of a judgement; null for the whole fleet.';
COMMENT ON COLUMN memory.commands.command_id IS 'Command id.';
COMMENT ON COLUMN memory.commands.kind IS 'Kind of command.';
COMMENT ON COLUMN memory.commands.signer IS 'Who signed it.';
COMMENT ON COLUMN memory.commands.target IS 'What it is about.';
COMMENT ON COLUMN memory.commands.reason IS 'The reason given.';
COMMENT ON COLUMN memory.commands.at IS 'When it was logged.';
COMMENT ON COLUMN memory.commands.effect IS 'What it changed, or why it was refused.';
COMMENT ON COLUMN memory.commands.revision IS 'Stream sequence.';

CREATE VIEW memory.rejections AS
SELECT s.name AS space, r.seq AS stream_seq, r.subject, r.reason, r.detail, consilience.at(r.at) AS at, r.requeued_at
FROM consilience.rejection r LEFT JOIN consilience.space s ON s.space = r.space;
COMMENT ON VIEW memory.rejections IS 'Messages that were refused; they stay on the log and can be sent again.';
COMMENT ON COLUMN memory.rejections.space IS 'Name of the space; null if the message names none that exists.';
COMMENT ON COLUMN memory.rejections.stream_seq IS 'Stream sequence of the message.';
COMMENT ON COLUMN memory.rejections.subject IS 'Subject it came under.';
COMMENT ON COLUMN memory.rejections.reason IS 'Reason code.';
COMMENT ON COLUMN memory.rejections.detail IS 'What was wrong with it.';
COMMENT ON COLUMN memory.rejections.at IS 'When it was logged.';
COMMENT ON COLUMN memory.rejections.requeued_at IS 'When it was sent again; null if it was not.';

CREATE VIEW memory.spaces AS
SELECT s.name AS space, coalesce(t.last_seq, s.created) AS revision, consilience.at(t.time) AS as_of,
    p.stopped = '' AS running, nullif(p.stopped, '') AS stopped, s.authority, s.reputation AS reputation_policy, s.policy
FROM consilience.space s
LEFT JOIN consilience.space_state t ON t.space = s.space
JOIN consilience.position p ON p.partition = s.partition;
COMMENT ON VIEW memory.spaces IS 'Spaces, how far they are merged, and their policies.';
COMMENT ON COLUMN memory.spaces.space IS 'Name of the space.';
COMMENT ON COLUMN memory.spaces.revision IS 'Revision: stream sequence of the last entry merged that touches it.';
COMMENT ON COLUMN memory.spaces.as_of IS 'Time of that entry.';
COMMENT ON COLUMN memory.spaces.running IS 'Whether its partition is being merged.';
COMMENT ON COLUMN memory.spaces.stopped IS 'Why its partition was stopped; null while it runs.';
COMMENT ON COLUMN memory.spaces.authority IS 'Rule by which items are authoritative.';
COMMENT ON COLUMN memory.spaces.reputation_policy IS 'Reputation policy.';
COMMENT ON COLUMN memory.spaces.policy IS 'The whole policy.';

CREATE VIEW memory.quarantines AS
SELECT 'nhe:' || consilience.b64(c.id) AS contributor, c.name AS contributor_name, q.since, q.whole AS shared_items_too, q.reason,
    consilience.at(q.at) AS at, q.seq AS revision, (SELECT count(*) FROM consilience.ancestry a WHERE a.ancestor = q.target) AS derived
FROM consilience.quarantine q JOIN consilience.contributor c ON c.contributor = q.target WHERE q.until IS NULL;
COMMENT ON VIEW memory.quarantines IS 'Quarantines in force.';
COMMENT ON COLUMN memory.quarantines.contributor IS 'Contributor that is quarantined, with all that derive from it.';
COMMENT ON COLUMN memory.quarantines.contributor_name IS 'Its name.';
COMMENT ON COLUMN memory.quarantines.since IS 'Statements from this stream sequence on are masked; 0 masks all.';
COMMENT ON COLUMN memory.quarantines.shared_items_too IS 'Whether items that others support fall too.';
COMMENT ON COLUMN memory.quarantines.reason IS 'The reason the operator gave.';
COMMENT ON COLUMN memory.quarantines.at IS 'When it was logged.';
COMMENT ON COLUMN memory.quarantines.revision IS 'Stream sequence of the fact.';
COMMENT ON COLUMN memory.quarantines.derived IS 'Contributors that derive from it, at any depth.';

-- +goose Down
DROP SCHEMA memory CASCADE;
DROP VIEW consilience.item_now, consilience.founding, consilience.mask;
DROP FUNCTION consilience.refs(bytea), consilience.shown(smallint, bytea, bytea), consilience.kind_name(smallint),
    consilience.outweighs(bigint, bigint);
