-- Version 1 of a contributor's local memory.

-- Every record this home has seen: its own, and heads of the slices it pulled.
-- Write-once: no statement of this package updates or deletes a row (N-12, N-19).
CREATE TABLE record (
  ordinal      INTEGER PRIMARY KEY, -- in the order written here, so that a reference stands before its referrer
  record_id    BLOB NOT NULL UNIQUE,
  contributor  BLOB NOT NULL,
  kind         INTEGER NOT NULL,
  content_hash BLOB NOT NULL,
  forward      BLOB NOT NULL,
  content      BLOB                 -- null: erased
) STRICT;
CREATE INDEX record_content ON record (content_hash, kind);

-- Back-references: append-only, outside of every hash (N-9, N-17). The key makes
-- a repeated patch harmless (N-40).
CREATE TABLE back_reference (
  record_id BLOB NOT NULL,
  later_id  BLOB NOT NULL,
  PRIMARY KEY (record_id, later_id)
) STRICT, WITHOUT ROWID;

-- What the local state holds beyond the slice.
CREATE TABLE change (
  change    INTEGER PRIMARY KEY,
  space     TEXT NOT NULL,    -- '' for every space that is pushed to
  kind      INTEGER NOT NULL, -- 1 new, 2 modified, 3 absent
  record_id BLOB,             -- of 1 and 2
  item_id   BLOB,             -- of 2 and 3
  value     INTEGER NOT NULL, -- base confidence or strength, ppm
  withdrawn INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX change_record ON change (record_id);
CREATE INDEX change_item ON change (item_id);

-- Signed messages, kept before they are published.
CREATE TABLE outbox (
  space     TEXT NOT NULL,
  sequence  INTEGER NOT NULL,
  delta_id  BLOB NOT NULL UNIQUE,
  message   BLOB NOT NULL,
  entries   INTEGER NOT NULL,           -- statements in it
  tried     INTEGER NOT NULL DEFAULT 0, -- 1 once it was handed to the log, which may have it then
  published INTEGER NOT NULL DEFAULT 0, -- 1 once the log has it
  status    TEXT NOT NULL DEFAULT '',   -- of the outcome: merged, duplicate, rejected
  reason    TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (space, sequence)
) STRICT;
CREATE INDEX outbox_open ON outbox (space, sequence) WHERE status = '';

-- Which message carries a change, per space. A rejection frees the change again.
CREATE TABLE sent (
  space    TEXT NOT NULL,
  change   INTEGER NOT NULL,
  delta_id BLOB NOT NULL,
  PRIMARY KEY (space, change)
) STRICT, WITHOUT ROWID;
CREATE INDEX sent_delta ON sent (delta_id);
CREATE INDEX sent_change ON sent (change);

-- The last sequence number used in a space.
CREATE TABLE sequence (
  space TEXT PRIMARY KEY,
  last  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Which item of the store a record of ours became part of.
CREATE TABLE placed (
  space     TEXT NOT NULL,
  record_id BLOB NOT NULL,
  item_id   BLOB NOT NULL,
  PRIMARY KEY (space, record_id)
) STRICT, WITHOUT ROWID;

-- The slice that the local state of a space is derived from.
CREATE TABLE slice (
  space    TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  digest   BLOB NOT NULL,
  envelope BLOB NOT NULL -- the service's signed statement
) STRICT, WITHOUT ROWID;
CREATE TABLE slice_entry (
  space        TEXT NOT NULL,
  item_id      BLOB NOT NULL,
  head         BLOB NOT NULL,
  content_hash BLOB NOT NULL,
  confidence   INTEGER NOT NULL,
  PRIMARY KEY (space, item_id)
) STRICT, WITHOUT ROWID;
