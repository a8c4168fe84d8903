-- The state of the spaces. Every table is keyed by space first, so that it
-- distributes unchanged; numbers of items and records come from the log
-- (sequence x 2^14 + place in the delta), never from a sequence of the database.
-- Indexes are as few as the loads need: each is paid on every new item. One index
-- of a table begins with the space, the others with what they find, so that no two
-- can be mistaken for each other while a table is too young for statistics.

-- +goose Up
CREATE TABLE consilience.space_state (
    space             int PRIMARY KEY,
    last_seq          bigint NOT NULL,
    time              bigint NOT NULL,
    first_delta       bool NOT NULL,
    reputation_policy text NOT NULL
) WITH (fillfactor = 20);
COMMENT ON TABLE consilience.space_state IS 'Where each space stands.';
COMMENT ON COLUMN consilience.space_state.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.space_state.last_seq IS 'Revision: the larger of its last entry and the last fleet fact.';
COMMENT ON COLUMN consilience.space_state.time IS 'Time of the space, Unix milliseconds; never runs backwards.';
COMMENT ON COLUMN consilience.space_state.first_delta IS 'Whether a delta was merged, which fixes the reputation policy.';
COMMENT ON COLUMN consilience.space_state.reputation_policy IS 'Reputation policy, by name.';

CREATE TABLE consilience.item (
    space               int NOT NULL,
    item                bigint NOT NULL,
    item_id             bytea NOT NULL,
    founded             bigint NOT NULL,
    kind                smallint NOT NULL,
    content_hash        bytea NOT NULL,
    key_hash            bytea,
    value_hash          bytea,
    confidence          int NOT NULL,
    support             int NOT NULL,
    doubt               int NOT NULL,
    groups              int NOT NULL,
    status              smallint NOT NULL,
    verdict             smallint NOT NULL,
    head                bigint NOT NULL,
    supporters          int NOT NULL,
    doubters            int NOT NULL,
    created             bigint NOT NULL,
    updated             bigint NOT NULL,
    revision            bigint NOT NULL,
    founding_confidence int NOT NULL,
    claim_subject       text,
    claim_predicate     text,
    claim_scope         text,
    claim_value         text,
    PRIMARY KEY (space, item)
-- Half of a page stays free, so that a quarantine of everything in it rewrites no index.
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX item_shown ON consilience.item (('item:' || consilience.b64(item_id)) COLLATE "C", space);
CREATE INDEX item_claim_subject ON consilience.item USING hash (claim_subject) WHERE claim_subject IS NOT NULL;
COMMENT ON TABLE consilience.item IS 'Items: what the space holds to be one piece of knowledge.';
COMMENT ON COLUMN consilience.item.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.item.item IS 'Number of the item: that of its founding record.';
COMMENT ON COLUMN consilience.item.item_id IS 'Item id: record id of its founding record.';
COMMENT ON COLUMN consilience.item.founded IS 'Stream sequence of the entry that founded it.';
COMMENT ON COLUMN consilience.item.kind IS 'Kind of its founding content: 0 text, 1 structured, 2 binary.';
COMMENT ON COLUMN consilience.item.content_hash IS 'Hash of its founding content.';
COMMENT ON COLUMN consilience.item.key_hash IS 'Hash of the folded claim key; null if it is no claim, or many-valued.';
COMMENT ON COLUMN consilience.item.value_hash IS 'Hash of the claim value; equal values are no rivals.';
COMMENT ON COLUMN consilience.item.confidence IS 'Stored confidence, millionths.';
COMMENT ON COLUMN consilience.item.support IS 'Combined support S, millionths.';
COMMENT ON COLUMN consilience.item.doubt IS 'Combined doubt D, millionths.';
COMMENT ON COLUMN consilience.item.groups IS 'Counted groups that support it at or above near-zero.';
COMMENT ON COLUMN consilience.item.status IS '0 active, 1 quarantined.';
COMMENT ON COLUMN consilience.item.verdict IS 'Newest judgement of any of its contents: 0 none, 1 confirmed, 2 contradicted.';
COMMENT ON COLUMN consilience.item.head IS 'Record that is shown, recalled and exported.';
COMMENT ON COLUMN consilience.item.supporters IS 'Contributors whose unmasked stance is a first-hand support.';
COMMENT ON COLUMN consilience.item.doubters IS 'Contributors whose unmasked stance is a doubt.';
COMMENT ON COLUMN consilience.item.created IS 'Time of the founding, Unix milliseconds.';
COMMENT ON COLUMN consilience.item.updated IS 'Time of the last change, Unix milliseconds.';
COMMENT ON COLUMN consilience.item.revision IS 'Stream sequence of the last entry that changed it.';
COMMENT ON COLUMN consilience.item.founding_confidence IS 'Confidence it was founded with, so that a founding costs no row of history.';
COMMENT ON COLUMN consilience.item.claim_subject IS 'Claim subject as folded for the key; null if it is no claim.';
COMMENT ON COLUMN consilience.item.claim_predicate IS 'Claim predicate as folded for the key.';
COMMENT ON COLUMN consilience.item.claim_scope IS 'Claim scope as folded for the key, empty if absent.';
COMMENT ON COLUMN consilience.item.claim_value IS 'Claim value, canonical JSON.';

CREATE TABLE consilience.claim (
    space      int NOT NULL,
    item       bigint NOT NULL,
    key_hash   bytea NOT NULL,
    value_hash bytea NOT NULL,
    confidence int NOT NULL,
    support    int NOT NULL,
    confirmed  bool NOT NULL,
    PRIMARY KEY (space, item)
) WITH (fillfactor = 80);
CREATE INDEX claim_rank ON consilience.claim (space, key_hash, confidence DESC);
CREATE INDEX claim_confirmed ON consilience.claim (key_hash, space) WHERE confirmed;
COMMENT ON TABLE consilience.claim IS 'Claims that count against their rivals, active and not contradicted, ranked by key, so that the strongest rival is one look-up. Beside the items, because an index over a number that changes would make every change of every item rewrite all its indexes.';
COMMENT ON COLUMN consilience.claim.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.claim.item IS 'Item that holds the claim.';
COMMENT ON COLUMN consilience.claim.key_hash IS 'Hash of the folded claim key: a key may be longer than an index holds.';
COMMENT ON COLUMN consilience.claim.value_hash IS 'Hash of the claim value; equal values are no rivals.';
COMMENT ON COLUMN consilience.claim.confidence IS 'Confidence of the item, millionths.';
COMMENT ON COLUMN consilience.claim.support IS 'Combined support of the item, millionths.';
COMMENT ON COLUMN consilience.claim.confirmed IS 'Whether it is confirmed.';

CREATE TABLE consilience.record (
    space        int NOT NULL,
    record       bigint NOT NULL,
    record_id    bytea NOT NULL,
    kind         smallint NOT NULL,
    content_hash bytea NOT NULL,
    contributor  int NOT NULL,
    seq          bigint NOT NULL,
    written_at   bigint NOT NULL,
    item         bigint NOT NULL,
    tainted      bool NOT NULL,
    erased       bool NOT NULL DEFAULT false,
    forward      bytea NOT NULL,
    content      bytea,
    PRIMARY KEY (space, record)
);
CREATE UNIQUE INDEX record_shown ON consilience.record (('rec:' || consilience.b64(record_id)) COLLATE "C", space);
COMMENT ON TABLE consilience.record IS 'Records as proposed: forward part and content in one row, written in one transaction (N-37). Only the taint and an erase ever change a row.';
COMMENT ON COLUMN consilience.record.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.record.record IS 'Number of the record.';
COMMENT ON COLUMN consilience.record.record_id IS 'Record id: hash of the forward part.';
COMMENT ON COLUMN consilience.record.kind IS '0 text, 1 structured, 2 binary.';
COMMENT ON COLUMN consilience.record.content_hash IS 'SHA-256 of the canonical content, as the forward part states it.';
COMMENT ON COLUMN consilience.record.contributor IS 'Contributor that wrote it.';
COMMENT ON COLUMN consilience.record.seq IS 'Stream sequence of the delta that brought it.';
COMMENT ON COLUMN consilience.record.written_at IS 'When it was written, as its author says, Unix milliseconds.';
COMMENT ON COLUMN consilience.record.item IS 'Item that its content belongs to.';
COMMENT ON COLUMN consilience.record.tainted IS 'Whether it rests, at any depth, on a quarantined record.';
COMMENT ON COLUMN consilience.record.erased IS 'Whether an erase took its content.';
COMMENT ON COLUMN consilience.record.forward IS 'Forward part as signed, CBOR: kind, content hash, relational pairs, contributor, time, canonical form.';
COMMENT ON COLUMN consilience.record.content IS 'Canonical content; null once erased.';

CREATE TABLE consilience.content (
    space         int NOT NULL,
    kind          smallint NOT NULL,
    hash          bytea NOT NULL,
    content       bigint NOT NULL,
    item          bigint NOT NULL,
    first_group   int,
    second_group  int,
    judgement     smallint NOT NULL,
    judged_seq    bigint NOT NULL,
    judged_record bytea,
    erased        bool NOT NULL DEFAULT false,
    PRIMARY KEY (space, kind, hash)
) WITH (fillfactor = 80);
COMMENT ON TABLE consilience.content IS 'Contents: what is joined and judged. Two records of one content are one content.';
COMMENT ON COLUMN consilience.content.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.content.kind IS '0 text, 1 structured, 2 binary.';
COMMENT ON COLUMN consilience.content.hash IS 'SHA-256 of the canonical content.';
COMMENT ON COLUMN consilience.content.content IS 'Number of the content: that of the first record of it.';
COMMENT ON COLUMN consilience.content.item IS 'Item it belongs to.';
COMMENT ON COLUMN consilience.content.first_group IS 'First group that stated it first-hand; credit is for the first two.';
COMMENT ON COLUMN consilience.content.second_group IS 'Second such group.';
COMMENT ON COLUMN consilience.content.judgement IS 'Judgement in force: 0 none, 1 confirmed, 2 contradicted.';
COMMENT ON COLUMN consilience.content.judged_seq IS 'Stream sequence of that judgement; 0 if none.';
COMMENT ON COLUMN consilience.content.judged_record IS 'Record id it named; null if none.';
COMMENT ON COLUMN consilience.content.erased IS 'Whether an erase took the content.';

CREATE TABLE consilience.holder (
    space        int NOT NULL,
    content      bigint NOT NULL,
    contributor  int NOT NULL,
    "group"      int NOT NULL,
    credit       bool NOT NULL,
    corroborated bool NOT NULL,
    blamed       bool NOT NULL,
    PRIMARY KEY (space, content, contributor)
) WITH (fillfactor = 90);
COMMENT ON TABLE consilience.holder IS 'Who stated a content first-hand: what a judgement of it has to settle.';
COMMENT ON COLUMN consilience.holder.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.holder.content IS 'Number of the content.';
COMMENT ON COLUMN consilience.holder.contributor IS 'Who stated it.';
COMMENT ON COLUMN consilience.holder."group" IS 'Group it counted in: positive a lineage by its root, negative an origin, 0 newcomers together.';
COMMENT ON COLUMN consilience.holder.credit IS 'Whether a confirmation counts for it.';
COMMENT ON COLUMN consilience.holder.corroborated IS 'Whether a proven other group stated it later.';
COMMENT ON COLUMN consilience.holder.blamed IS 'Whether a contradiction counts against it.';

CREATE TABLE consilience.statement (
    space       int NOT NULL,
    item        bigint NOT NULL,
    contributor int NOT NULL,
    sequence    bigint NOT NULL,
    place       smallint NOT NULL,
    seq         bigint NOT NULL,
    side        smallint NOT NULL,
    value       int NOT NULL,
    reputation  int NOT NULL,
    depth       smallint NOT NULL,
    proven      bool NOT NULL,
    echo        bool NOT NULL,
    record      bigint NOT NULL,
    effective   int NOT NULL,
    counted     smallint NOT NULL,
    PRIMARY KEY (space, item, contributor, sequence, place)
) WITH (fillfactor = 90);
CREATE INDEX statement_by ON consilience.statement (contributor, space, item);
COMMENT ON TABLE consilience.statement IS 'What contributors said of items. The newest of a contributor by its own sequence is its stance; older ones are history.';
COMMENT ON COLUMN consilience.statement.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.statement.item IS 'Item it is about.';
COMMENT ON COLUMN consilience.statement.contributor IS 'Who said it.';
COMMENT ON COLUMN consilience.statement.sequence IS 'Sequence of the delta, by the contributor.';
COMMENT ON COLUMN consilience.statement.place IS 'Place in that delta, from 1.';
COMMENT ON COLUMN consilience.statement.seq IS 'Stream sequence of that delta.';
COMMENT ON COLUMN consilience.statement.side IS '0 support, 1 doubt.';
COMMENT ON COLUMN consilience.statement.value IS 'Base confidence or strength as stated, millionths.';
COMMENT ON COLUMN consilience.statement.reputation IS 'Reputation of the contributor at the merge, millionths.';
COMMENT ON COLUMN consilience.statement.depth IS 'Its depth at the merge.';
COMMENT ON COLUMN consilience.statement.proven IS 'Whether it was proven at the merge.';
COMMENT ON COLUMN consilience.statement.echo IS 'Whether it repeats what its lineage was told first.';
COMMENT ON COLUMN consilience.statement.record IS 'Record it proposes; 0 for a doubt.';
COMMENT ON COLUMN consilience.statement.effective IS 'Effective confidence, millionths; derived, not part of the digest.';
COMMENT ON COLUMN consilience.statement.counted IS 'Why it is no counted voice, 0 if it is: 1 echo, 2 same group, 3 pool, 4 masked, 5 locked, 6 near zero, 7 withdrawn. Derived; a mask that came later is not written here.';

CREATE TABLE consilience.back_reference (
    space      int NOT NULL,
    record     bigint NOT NULL,
    later      bigint NOT NULL,
    later_hash bytea NOT NULL,
    corrects   bool NOT NULL,
    PRIMARY KEY (space, record, later)
);
CREATE INDEX back_reference_later ON consilience.back_reference (later, space);
COMMENT ON TABLE consilience.back_reference IS 'Which later records refer to a record. A hint for tamper localization, never evidence (N-17, N-70); one row for each pair of records (N-40).';
COMMENT ON COLUMN consilience.back_reference.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.back_reference.record IS 'Record that is referred to.';
COMMENT ON COLUMN consilience.back_reference.later IS 'Record that refers to it.';
COMMENT ON COLUMN consilience.back_reference.later_hash IS 'Content hash of the later record.';
COMMENT ON COLUMN consilience.back_reference.corrects IS 'Whether the later record corrects it: such a pair does not taint.';

CREATE TABLE consilience.reputation (
    space        int NOT NULL,
    contributor  int NOT NULL,
    r0           int NOT NULL,
    confirmed    int NOT NULL,
    contradicted int NOT NULL,
    corroborated int NOT NULL,
    accepted     int NOT NULL,
    judged       bool[] NOT NULL,
    locks        int NOT NULL,
    locked_for   int NOT NULL,
    averages     int[] NOT NULL,
    own          int NOT NULL,
    proven       bool NOT NULL,
    PRIMARY KEY (space, contributor)
) WITH (fillfactor = 50);
COMMENT ON TABLE consilience.reputation IS 'Evidence about each contributor in each space.';
COMMENT ON COLUMN consilience.reputation.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.reputation.contributor IS 'Whose it is.';
COMMENT ON COLUMN consilience.reputation.r0 IS 'Reputation it began with, millionths.';
COMMENT ON COLUMN consilience.reputation.confirmed IS 'Confirmed contents it has valid credit for (C).';
COMMENT ON COLUMN consilience.reputation.contradicted IS 'Contradicted contents it supported (X).';
COMMENT ON COLUMN consilience.reputation.corroborated IS 'Contents of it that a proven other group stated later (K).';
COMMENT ON COLUMN consilience.reputation.accepted IS 'Contents of it that were accepted (A).';
COMMENT ON COLUMN consilience.reputation.judged IS 'Its last judgements, oldest first, at most ten; true is confirmed.';
COMMENT ON COLUMN consilience.reputation.locks IS 'How often the breaker locked it.';
COMMENT ON COLUMN consilience.reputation.locked_for IS 'Confirmations until it is unlocked; 0 is unlocked.';
COMMENT ON COLUMN consilience.reputation.averages IS 'Moving averages of policy ema-v1, millionths.';
COMMENT ON COLUMN consilience.reputation.own IS 'Value by its own evidence, before what its parents allow, millionths; derived.';
COMMENT ON COLUMN consilience.reputation.proven IS 'Whether it counts as proven; derived.';

CREATE TABLE consilience.applied_delta (
    space       int NOT NULL,
    contributor int NOT NULL,
    sequence    bigint NOT NULL,
    delta_id    bytea NOT NULL,
    seq         bigint NOT NULL,
    at          bigint NOT NULL,
    envelope    bytea NOT NULL,
    PRIMARY KEY (space, contributor, sequence)
);
CREATE UNIQUE INDEX applied_delta_seq ON consilience.applied_delta (seq, space);
COMMENT ON TABLE consilience.applied_delta IS 'Deltas merged: which sequence numbers are used, and the signed envelope that proves who wrote the records.';
COMMENT ON COLUMN consilience.applied_delta.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.applied_delta.contributor IS 'Whose delta it is.';
COMMENT ON COLUMN consilience.applied_delta.sequence IS 'Its sequence, by the contributor.';
COMMENT ON COLUMN consilience.applied_delta.delta_id IS 'Delta id.';
COMMENT ON COLUMN consilience.applied_delta.seq IS 'Stream sequence.';
COMMENT ON COLUMN consilience.applied_delta.at IS 'Time of the space when it was merged, Unix milliseconds.';
COMMENT ON COLUMN consilience.applied_delta.envelope IS 'COSE_Sign1 envelope as received, without the records.';

CREATE TABLE consilience.exposure (
    space       int NOT NULL,
    root        int NOT NULL,
    kind        smallint NOT NULL,
    hash        bytea NOT NULL,
    contributor int NOT NULL,
    seq         bigint NOT NULL,
    how         text NOT NULL,
    at          bigint NOT NULL,
    PRIMARY KEY (space, root, kind, hash, contributor)
);
COMMENT ON TABLE consilience.exposure IS 'Which contents were emitted to whom first: what makes a later support an echo.';
COMMENT ON COLUMN consilience.exposure.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.exposure.root IS 'Lineage of the contributor, by its root.';
COMMENT ON COLUMN consilience.exposure.kind IS 'Kind of the content.';
COMMENT ON COLUMN consilience.exposure.hash IS 'Hash of the content.';
COMMENT ON COLUMN consilience.exposure.contributor IS 'Contributor it was emitted to.';
COMMENT ON COLUMN consilience.exposure.seq IS 'Stream sequence of the entry that says so.';
COMMENT ON COLUMN consilience.exposure.how IS 'How it was emitted: projection or record.';
COMMENT ON COLUMN consilience.exposure.at IS 'Time of that entry, Unix milliseconds.';

CREATE TABLE consilience.issued_slice (
    space       int NOT NULL,
    digest      bytea NOT NULL,
    contributor int NOT NULL,
    revision    bigint NOT NULL,
    seq         bigint NOT NULL,
    PRIMARY KEY (space, digest)
);
COMMENT ON TABLE consilience.issued_slice IS 'Slices issued, as the log says.';
COMMENT ON COLUMN consilience.issued_slice.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.issued_slice.digest IS 'Slice digest.';
COMMENT ON COLUMN consilience.issued_slice.contributor IS 'Contributor it was issued to.';
COMMENT ON COLUMN consilience.issued_slice.revision IS 'Revision of the space it was read at.';
COMMENT ON COLUMN consilience.issued_slice.seq IS 'Stream sequence of the entry.';

CREATE TABLE consilience.judgement (
    space      int NOT NULL,
    command_id bytea NOT NULL,
    kind       text NOT NULL,
    signer     bytea NOT NULL,
    record     bytea,
    other      bytea,
    reason     text NOT NULL,
    seq        bigint NOT NULL,
    at         bigint NOT NULL,
    effect     text NOT NULL,
    envelope   bytea NOT NULL,
    PRIMARY KEY (space, command_id)
);
COMMENT ON TABLE consilience.judgement IS 'Operators'' judgements about one space.';
COMMENT ON COLUMN consilience.judgement.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.judgement.command_id IS 'Command id.';
COMMENT ON COLUMN consilience.judgement.kind IS 'confirm, contradict, split, rival or erase.';
COMMENT ON COLUMN consilience.judgement.signer IS 'Operator that signed.';
COMMENT ON COLUMN consilience.judgement.record IS 'Record it is about; of a rival, the first item.';
COMMENT ON COLUMN consilience.judgement.other IS 'Of a rival, the other item.';
COMMENT ON COLUMN consilience.judgement.reason IS 'The reason the operator gave.';
COMMENT ON COLUMN consilience.judgement.seq IS 'Stream sequence.';
COMMENT ON COLUMN consilience.judgement.at IS 'Time of the entry, Unix milliseconds.';
COMMENT ON COLUMN consilience.judgement.effect IS 'What it changed, in words.';
COMMENT ON COLUMN consilience.judgement.envelope IS 'The command as its operator signed it.';

CREATE TABLE consilience.related (
    space int NOT NULL,
    item  bigint NOT NULL,
    other bigint NOT NULL,
    why   text NOT NULL,
    PRIMARY KEY (space, item, other)
);
COMMENT ON TABLE consilience.related IS 'Items that look alike and move no number.';
COMMENT ON COLUMN consilience.related.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.related.item IS 'Item.';
COMMENT ON COLUMN consilience.related.other IS 'The item it looks like.';
COMMENT ON COLUMN consilience.related.why IS 'Check of the gate that kept them apart.';

CREATE TABLE consilience.rival (
    space int NOT NULL,
    item  bigint NOT NULL,
    other bigint NOT NULL,
    why   text NOT NULL,
    PRIMARY KEY (space, item, other)
);
COMMENT ON TABLE consilience.rival IS 'Rivals beyond claims of one key: polarity and operators'' declarations, one row for each direction.';
COMMENT ON COLUMN consilience.rival.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.rival.item IS 'Item.';
COMMENT ON COLUMN consilience.rival.other IS 'Its rival.';
COMMENT ON COLUMN consilience.rival.why IS 'polarity or declared.';

-- +goose Down
DROP TABLE consilience.rival, consilience.related, consilience.judgement, consilience.issued_slice, consilience.exposure,
    consilience.applied_delta, consilience.reputation, consilience.back_reference, consilience.statement, consilience.holder,
    consilience.content, consilience.record, consilience.claim, consilience.item, consilience.space_state;
