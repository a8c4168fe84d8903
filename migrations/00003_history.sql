-- What happened: history of numbers, outcomes, refusals, and what is kept for
-- a while only.

-- +goose Up
CREATE TABLE consilience.confidence_history (
    space    int NOT NULL,
    item     bigint NOT NULL,
    seq      bigint NOT NULL,
    before   int NOT NULL,
    after    int NOT NULL,
    cause    text NOT NULL,
    cause_id text NOT NULL,
    at       bigint NOT NULL,
    PRIMARY KEY (space, item, seq)
) PARTITION BY HASH (space, item);
COMMENT ON TABLE consilience.confidence_history IS 'Changes of stored confidence after the founding.';
COMMENT ON COLUMN consilience.confidence_history.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.confidence_history.item IS 'Item.';
COMMENT ON COLUMN consilience.confidence_history.seq IS 'Stream sequence of the entry that changed it.';
COMMENT ON COLUMN consilience.confidence_history.before IS 'Confidence before, millionths.';
COMMENT ON COLUMN consilience.confidence_history.after IS 'Confidence after, millionths.';
COMMENT ON COLUMN consilience.confidence_history.cause IS 'Kind of the entry.';
COMMENT ON COLUMN consilience.confidence_history.cause_id IS 'Id of the entry, in its shown form.';
COMMENT ON COLUMN consilience.confidence_history.at IS 'Time of the entry, Unix milliseconds.';
-- +goose StatementBegin
DO $$ BEGIN
    FOR k IN 0..7 LOOP
        EXECUTE format('CREATE TABLE consilience.confidence_history_%s PARTITION OF consilience.confidence_history FOR VALUES WITH (MODULUS 8, REMAINDER %s)', k, k);
    END LOOP;
END $$;
-- +goose StatementEnd

CREATE TABLE consilience.reputation_history (
    space       int NOT NULL,
    contributor int NOT NULL,
    seq         bigint NOT NULL,
    before      int NOT NULL,
    after       int NOT NULL,
    cause       text NOT NULL,
    cause_id    text NOT NULL,
    at          bigint NOT NULL,
    PRIMARY KEY (space, contributor, seq)
) PARTITION BY HASH (space, contributor);
COMMENT ON TABLE consilience.reputation_history IS 'Changes of reputation.';
COMMENT ON COLUMN consilience.reputation_history.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.reputation_history.contributor IS 'Whose reputation.';
COMMENT ON COLUMN consilience.reputation_history.seq IS 'Stream sequence of the entry that changed it.';
COMMENT ON COLUMN consilience.reputation_history.before IS 'Reputation before, millionths.';
COMMENT ON COLUMN consilience.reputation_history.after IS 'Reputation after, millionths.';
COMMENT ON COLUMN consilience.reputation_history.cause IS 'Kind of the entry.';
COMMENT ON COLUMN consilience.reputation_history.cause_id IS 'Id of the entry, in its shown form.';
COMMENT ON COLUMN consilience.reputation_history.at IS 'Time of the entry, Unix milliseconds.';
-- +goose StatementBegin
DO $$ BEGIN
    FOR k IN 0..3 LOOP
        EXECUTE format('CREATE TABLE consilience.reputation_history_%s PARTITION OF consilience.reputation_history FOR VALUES WITH (MODULUS 4, REMAINDER %s)', k, k);
    END LOOP;
END $$;
-- +goose StatementEnd

CREATE TABLE consilience.outcome (
    space       int NOT NULL,
    seq         bigint NOT NULL,
    partition   smallint NOT NULL,
    contributor bytea NOT NULL,
    delta_id    bytea NOT NULL,
    status      text NOT NULL,
    body        bytea NOT NULL,
    at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    published   bool NOT NULL DEFAULT false,
    PRIMARY KEY (space, seq)
) WITH (fillfactor = 80);
CREATE INDEX outcome_delta ON consilience.outcome (delta_id);
CREATE INDEX outcome_unpublished ON consilience.outcome (partition, seq) WHERE NOT published;
COMMENT ON TABLE consilience.outcome IS 'What became of each delta message; publishing reads from here, after the commit.';
COMMENT ON COLUMN consilience.outcome.space IS 'Number of the space; 0 if it names none.';
COMMENT ON COLUMN consilience.outcome.seq IS 'Stream sequence of the message.';
COMMENT ON COLUMN consilience.outcome.partition IS 'Partition of the log that holds it.';
COMMENT ON COLUMN consilience.outcome.contributor IS 'Contributor id the outcome is for.';
COMMENT ON COLUMN consilience.outcome.delta_id IS 'Delta id.';
COMMENT ON COLUMN consilience.outcome.status IS 'merged, duplicate or rejected.';
COMMENT ON COLUMN consilience.outcome.body IS 'The outcome as JSON, byte for byte as it is published.';
COMMENT ON COLUMN consilience.outcome.at IS 'When it was written, by the clock of Postgres.';
COMMENT ON COLUMN consilience.outcome.published IS 'Whether it was published since.';

CREATE TABLE consilience.rejection (
    space       int NOT NULL,
    seq         bigint NOT NULL,
    subject     text NOT NULL,
    hash        bytea NOT NULL,
    reason      text NOT NULL,
    detail      text NOT NULL,
    at          bigint NOT NULL,
    requeued_at timestamptz,
    requeued_as bigint,
    PRIMARY KEY (space, seq)
);
COMMENT ON TABLE consilience.rejection IS 'Messages that were refused. The message itself stays on the log.';
COMMENT ON COLUMN consilience.rejection.space IS 'Number of the space; 0 if it names none.';
COMMENT ON COLUMN consilience.rejection.seq IS 'Stream sequence of the message.';
COMMENT ON COLUMN consilience.rejection.subject IS 'Subject it was stored under.';
COMMENT ON COLUMN consilience.rejection.hash IS 'SHA-256 of the message.';
COMMENT ON COLUMN consilience.rejection.reason IS 'Reason code.';
COMMENT ON COLUMN consilience.rejection.detail IS 'What was wrong with it, without content.';
COMMENT ON COLUMN consilience.rejection.at IS 'Time of the entry, Unix milliseconds.';
COMMENT ON COLUMN consilience.rejection.requeued_at IS 'When an operator sent the same bytes again.';
COMMENT ON COLUMN consilience.rejection.requeued_as IS 'Stream sequence they then got.';

CREATE TABLE consilience.slice_body (
    space       int NOT NULL,
    digest      bytea NOT NULL,
    page        int NOT NULL,
    contributor bytea NOT NULL,
    revision    bigint NOT NULL,
    body        bytea NOT NULL,
    kept_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (digest, space, page)
);
ALTER TABLE consilience.slice_body ALTER COLUMN body SET STORAGE EXTERNAL;
COMMENT ON TABLE consilience.slice_body IS 'Slices while their pages are fetched, so that any worker can answer; dropped when fetched or a day old.';
COMMENT ON COLUMN consilience.slice_body.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.slice_body.digest IS 'Slice digest.';
COMMENT ON COLUMN consilience.slice_body.contributor IS 'Contributor id it was issued to.';
COMMENT ON COLUMN consilience.slice_body.revision IS 'Revision of the space it was read at.';
COMMENT ON COLUMN consilience.slice_body.page IS 'Number of the page, from 0.';
COMMENT ON COLUMN consilience.slice_body.body IS 'Entries of the page, CBOR.';
COMMENT ON COLUMN consilience.slice_body.kept_at IS 'Since when it is kept.';

CREATE TABLE consilience.vector (
    space     int NOT NULL,
    model     text NOT NULL,
    hash      bytea NOT NULL,
    vector    bytea NOT NULL,
    PRIMARY KEY (space, model, hash)
);
ALTER TABLE consilience.vector ALTER COLUMN vector SET STORAGE PLAIN;
COMMENT ON TABLE consilience.vector IS 'Embeddings, committed once before they are used; replay takes them from here.';
COMMENT ON COLUMN consilience.vector.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.vector.model IS 'Name of the embedding model.';
COMMENT ON COLUMN consilience.vector.hash IS 'Content hash of the text.';
COMMENT ON COLUMN consilience.vector.vector IS 'The vector, one signed byte a component.';

-- +goose Down
DROP TABLE consilience.vector, consilience.slice_body, consilience.rejection, consilience.outcome,
    consilience.reputation_history, consilience.confidence_history;
