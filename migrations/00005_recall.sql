-- Recall: which words stand in which contents, and which projections were used.
-- Both are outside of the state that the log leads to: words can be made again
-- from the contents at any time, uses are a relying party's. Nothing here is
-- written while a delta is merged, so that a new item costs what it did.

-- +goose Up
CREATE TABLE consilience.search (
    space   int NOT NULL,
    content bigint NOT NULL,
    item    bigint NOT NULL,
    words   bigint[] NOT NULL,
    PRIMARY KEY (space, content)
);
CREATE INDEX search_words ON consilience.search USING gin (words) WITH (fastupdate = on, gin_pending_list_limit = 256);
COMMENT ON TABLE consilience.search IS 'Words of the contents, for recall by text. Follows the store at a short distance, see search_mark.';
COMMENT ON COLUMN consilience.search.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.search.content IS 'Number of the content: that of its first record.';
COMMENT ON COLUMN consilience.search.item IS 'Item that it belongs to, so that a search reads no record.';
COMMENT ON COLUMN consilience.search.words IS 'Its words, each a number that the space goes into: no word of one space is found in another.';

CREATE TABLE consilience.search_word (
    space    int NOT NULL,
    word     bigint NOT NULL,
    contents int NOT NULL,
    PRIMARY KEY (space, word)
) WITH (fillfactor = 70);
COMMENT ON TABLE consilience.search_word IS 'How many contents a word stands in: a rare word says more, and costs less to look for. Words of erased contents stay counted.';
COMMENT ON COLUMN consilience.search_word.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.search_word.word IS 'The word.';
COMMENT ON COLUMN consilience.search_word.contents IS 'Contents that it stands in.';

CREATE TABLE consilience.search_mark (
    space    int PRIMARY KEY,
    record   bigint NOT NULL,
    contents bigint NOT NULL
) WITH (fillfactor = 20);
COMMENT ON TABLE consilience.search_mark IS 'How far the words of each space were taken. Its row lock is what makes one taker.';
COMMENT ON COLUMN consilience.search_mark.space IS 'Number of the space.';
COMMENT ON COLUMN consilience.search_mark.record IS 'Last record that was looked at; numbers of records rise with the log.';
COMMENT ON COLUMN consilience.search_mark.contents IS 'Contents so far.';

-- An erase takes the words with the content, and a split takes them along. The
-- triggers fire on those statements and on no other. They wait for who takes words
-- at that moment, since it may have read the content before.
-- +goose StatementBegin
CREATE FUNCTION consilience.follow_record() RETURNS trigger
LANGUAGE plpgsql
AS $$ BEGIN
    PERFORM FROM consilience.search_mark WHERE space = NEW.space FOR UPDATE;
    IF NEW.erased THEN
        DELETE FROM consilience.search WHERE space = NEW.space AND content = NEW.record;
    ELSE
        UPDATE consilience.search SET item = NEW.item WHERE space = NEW.space AND content = NEW.record;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
COMMENT ON FUNCTION consilience.follow_record() IS 'Takes the words of an erased content away, and those of a content that was split off along.';
CREATE TRIGGER record_follow AFTER UPDATE OF erased, item ON consilience.record
    FOR EACH ROW EXECUTE FUNCTION consilience.follow_record();

CREATE TABLE consilience.projection_use (
    projection bytea PRIMARY KEY,
    until      bigint NOT NULL,
    used_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX projection_use_until ON consilience.projection_use (until);
COMMENT ON TABLE consilience.projection_use IS 'Projections that were used once, for relying parties that accept each one time only.';
COMMENT ON COLUMN consilience.projection_use.projection IS 'SHA-256 of the projection id.';
COMMENT ON COLUMN consilience.projection_use.until IS 'When the record is stale whatever happens, Unix milliseconds; the use may be forgotten after that.';
COMMENT ON COLUMN consilience.projection_use.used_at IS 'When it was used, by the clock of Postgres.';

CREATE TABLE consilience.projection_floor (
    one bool PRIMARY KEY DEFAULT true CHECK (one),
    at  bigint NOT NULL
) WITH (fillfactor = 20);
COMMENT ON TABLE consilience.projection_floor IS 'Uses of records that were stale before this were forgotten: a record created before it is refused, whatever a clock or a longer limit says later.';
COMMENT ON COLUMN consilience.projection_floor.one IS 'There is one row.';
COMMENT ON COLUMN consilience.projection_floor.at IS 'Unix milliseconds.';
INSERT INTO consilience.projection_floor (at) VALUES (0);

CREATE VIEW memory.projection AS
SELECT consilience.b64(projection) AS projection, used_at, consilience.at(until) AS stale_at
FROM consilience.projection_use;
COMMENT ON VIEW memory.projection IS 'Projections that a relying party on this database used up.';
COMMENT ON COLUMN memory.projection.projection IS 'SHA-256 of the projection id, 43 characters.';
COMMENT ON COLUMN memory.projection.used_at IS 'When it was used.';
COMMENT ON COLUMN memory.projection.stale_at IS 'When its record is stale whatever happens.';

-- +goose Down
DROP VIEW memory.projection;
DROP TABLE consilience.projection_floor, consilience.projection_use;
DROP TRIGGER record_follow ON consilience.record;
DROP FUNCTION consilience.follow_record();
DROP TABLE consilience.search_mark, consilience.search_word, consilience.search;
