-- The fleet: what the whole store shares. One row per fact of the log, and what
-- the facts amount to. These tables are small and the same for every space; on a
-- distributed Postgres they are reference tables.

-- +goose Up
CREATE SCHEMA consilience;
COMMENT ON SCHEMA consilience IS 'The state of a Consilience store, a function of its log. Written by the reconciler only; analysts read schema memory.';

-- +goose StatementBegin
CREATE FUNCTION consilience.b64(id bytea) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ SELECT translate(rtrim(encode(id, 'base64'), '='), '+/', '-_') $$;
-- +goose StatementEnd
COMMENT ON FUNCTION consilience.b64(bytea) IS 'The text form of a 32-byte value: unpadded base64url, 43 characters (wire.md).';

-- +goose StatementBegin
CREATE FUNCTION consilience.ppm(millionths bigint) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ SELECT millionths * 0.000001 $$;
-- +goose StatementEnd
COMMENT ON FUNCTION consilience.ppm(bigint) IS 'Millionths as a number between 0 and 1.';

-- +goose StatementBegin
CREATE FUNCTION consilience.at(milliseconds bigint) RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ SELECT timestamptz 'epoch' + milliseconds * interval '1 millisecond' $$;
-- +goose StatementEnd
COMMENT ON FUNCTION consilience.at(bigint) IS 'Unix milliseconds as a timestamp.';

CREATE TABLE consilience.position (
    partition smallint PRIMARY KEY,
    seq       bigint NOT NULL DEFAULT 0,
    hash      bytea NOT NULL DEFAULT '\x0000000000000000000000000000000000000000000000000000000000000000',
    owner     text NOT NULL DEFAULT '',
    seen_at   timestamptz NOT NULL DEFAULT '-infinity',
    stopped   text NOT NULL DEFAULT ''
) WITH (fillfactor = 20);
COMMENT ON TABLE consilience.position IS 'How far each partition of the log has been merged. Its row lock is what makes a partition have one writer.';
COMMENT ON COLUMN consilience.position.partition IS 'Partition of the log, 0 to 15.';
COMMENT ON COLUMN consilience.position.seq IS 'Stream sequence of the last entry merged.';
COMMENT ON COLUMN consilience.position.hash IS 'SHA-256 of that entry as it stands on the log: a restored, older log shows.';
COMMENT ON COLUMN consilience.position.owner IS 'Worker that reads the partition now; a hint, the row lock decides.';
COMMENT ON COLUMN consilience.position.seen_at IS 'When the owner last said so, by the clock of Postgres.';
COMMENT ON COLUMN consilience.position.stopped IS 'Why the partition was stopped; empty while it runs.';
INSERT INTO consilience.position (partition) SELECT generate_series(0, 15);

CREATE TABLE consilience.worker (
    name       text PRIMARY KEY,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen_at    timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 20);
COMMENT ON TABLE consilience.worker IS 'The workers that are running.';
COMMENT ON COLUMN consilience.worker.name IS 'Unique name of one running worker.';
COMMENT ON COLUMN consilience.worker.started_at IS 'When it started.';
COMMENT ON COLUMN consilience.worker.seen_at IS 'Its last heartbeat, by the clock of Postgres.';

CREATE TABLE consilience.fact (
    seq        bigint PRIMARY KEY,
    kind       text NOT NULL,
    subject    text NOT NULL,
    command_id bytea,
    signer     bytea,
    target     text NOT NULL,
    reason     text NOT NULL,
    effect     text NOT NULL,
    refusal    text NOT NULL,
    at         bigint NOT NULL,
    raw        bytea NOT NULL
);
COMMENT ON TABLE consilience.fact IS 'Fleet facts in log order, refused ones included. Rows never change: an entry sees the facts with a sequence below its own.';
COMMENT ON COLUMN consilience.fact.seq IS 'Stream sequence that set the fact.';
COMMENT ON COLUMN consilience.fact.kind IS 'Kind of command: genesis, operators, space, policy, enroll, derive, rotate, retire, quarantine, release.';
COMMENT ON COLUMN consilience.fact.subject IS 'Subject the message was stored under.';
COMMENT ON COLUMN consilience.fact.command_id IS 'Command id; null if the message could not be read.';
COMMENT ON COLUMN consilience.fact.signer IS 'Identity whose key signed; null if it could not be read.';
COMMENT ON COLUMN consilience.fact.target IS 'What the command is about, in its shown form.';
COMMENT ON COLUMN consilience.fact.reason IS 'The reason the operator gave.';
COMMENT ON COLUMN consilience.fact.effect IS 'What the fact changed, in words; empty if it was refused.';
COMMENT ON COLUMN consilience.fact.refusal IS 'Reason code of the refusal; empty if the fact stands.';
COMMENT ON COLUMN consilience.fact.at IS 'Time of the log entry, Unix milliseconds.';
COMMENT ON COLUMN consilience.fact.raw IS 'The message as it stands on the log.';

CREATE TABLE consilience.space (
    space      int PRIMARY KEY,
    name       text NOT NULL UNIQUE,
    partition  smallint NOT NULL,
    created    bigint NOT NULL,
    authority  text NOT NULL,
    near_zero  int NOT NULL,
    reputation text NOT NULL,
    r0         int NOT NULL,
    policy     jsonb NOT NULL
);
COMMENT ON TABLE consilience.space IS 'Spaces with the policy in force now.';
COMMENT ON COLUMN consilience.space.space IS 'Number of the space, in the order the log made them.';
COMMENT ON COLUMN consilience.space.name IS 'Name of the space.';
COMMENT ON COLUMN consilience.space.partition IS 'Partition of the log that holds it: FNV-1a-32 of the name, modulo 16.';
COMMENT ON COLUMN consilience.space.created IS 'Stream sequence that created it.';
COMMENT ON COLUMN consilience.space.authority IS 'Authority rule of the policy: fleet, open or strict.';
COMMENT ON COLUMN consilience.space.near_zero IS 'Confidence below which an item is never authoritative, millionths.';
COMMENT ON COLUMN consilience.space.reputation IS 'Reputation policy, by name.';
COMMENT ON COLUMN consilience.space.r0 IS 'Reputation of a newcomer, millionths.';
COMMENT ON COLUMN consilience.space.policy IS 'The whole policy, keys as in the policy file.';

CREATE TABLE consilience.contributor (
    contributor int PRIMARY KEY,
    id          bytea NOT NULL UNIQUE,
    name        text NOT NULL,
    root        int NOT NULL,
    parents     int[] NOT NULL,
    depth       smallint NOT NULL,
    origin      text NOT NULL,
    vouched     bool NOT NULL,
    reputation  int NOT NULL,
    spaces      text[] NOT NULL,
    enrolled    bigint NOT NULL,
    enrolled_at bigint NOT NULL,
    retired     bigint,
    retired_at  bigint
);
CREATE UNIQUE INDEX contributor_name ON consilience.contributor (name) WHERE name <> '';
COMMENT ON TABLE consilience.contributor IS 'Enrolled and derived contributors as the last fact leaves them.';
COMMENT ON COLUMN consilience.contributor.contributor IS 'Number of the contributor, in the order the log made them known, from 1.';
COMMENT ON COLUMN consilience.contributor.id IS 'Contributor id: key id of its first key.';
COMMENT ON COLUMN consilience.contributor.name IS 'Name it was enrolled or derived with; empty if none.';
COMMENT ON COLUMN consilience.contributor.root IS 'The enrolled contributor it derives from at last; itself if enrolled.';
COMMENT ON COLUMN consilience.contributor.parents IS 'Contributors it derives from directly.';
COMMENT ON COLUMN consilience.contributor.depth IS 'Longest way to its root.';
COMMENT ON COLUMN consilience.contributor.origin IS 'Origin it was enrolled with: contributors of one origin count as one voice.';
COMMENT ON COLUMN consilience.contributor.vouched IS 'Whether an operator vouched for it.';
COMMENT ON COLUMN consilience.contributor.reputation IS 'Reputation it was enrolled with, millionths; 0 is the newcomer value of the space.';
COMMENT ON COLUMN consilience.contributor.spaces IS 'Spaces its root is enrolled for.';
COMMENT ON COLUMN consilience.contributor.enrolled IS 'Stream sequence that made it known.';
COMMENT ON COLUMN consilience.contributor.enrolled_at IS 'Time of that entry, Unix milliseconds.';
COMMENT ON COLUMN consilience.contributor.retired IS 'Stream sequence that retired it; null while it is not.';
COMMENT ON COLUMN consilience.contributor.retired_at IS 'Time of that entry, Unix milliseconds.';

CREATE TABLE consilience.origin (
    origin_group int PRIMARY KEY,
    origin       text NOT NULL
);
COMMENT ON TABLE consilience.origin IS 'Origins that contributors were enrolled with, each a group of its own.';
COMMENT ON COLUMN consilience.origin.origin_group IS 'Number of the group: negative.';
COMMENT ON COLUMN consilience.origin.origin IS 'The origin.';

CREATE TABLE consilience.ancestry (
    contributor int NOT NULL,
    ancestor    int NOT NULL,
    distance    smallint NOT NULL,
    PRIMARY KEY (contributor, ancestor)
);
CREATE INDEX ancestry_down ON consilience.ancestry (ancestor, contributor);
COMMENT ON TABLE consilience.ancestry IS 'Derivation, closed: every ancestor of every contributor. Edges never change.';
COMMENT ON COLUMN consilience.ancestry.contributor IS 'The derived contributor.';
COMMENT ON COLUMN consilience.ancestry.ancestor IS 'One it derives from, at any depth.';
COMMENT ON COLUMN consilience.ancestry.distance IS 'Longest way between the two, in derivations.';

CREATE TABLE consilience.key (
    key_id  bytea PRIMARY KEY,
    role    text NOT NULL,
    owner   bytea NOT NULL,
    public  bytea NOT NULL,
    since   bigint NOT NULL,
    until   bigint
);
CREATE INDEX key_owner ON consilience.key (owner, since);
COMMENT ON TABLE consilience.key IS 'Every key that ever stood for somebody. A key id belongs to one identity for ever.';
COMMENT ON COLUMN consilience.key.key_id IS 'SHA-256 of the raw public key.';
COMMENT ON COLUMN consilience.key.role IS 'contributor, operator or service.';
COMMENT ON COLUMN consilience.key.owner IS 'Identity it belongs to.';
COMMENT ON COLUMN consilience.key.public IS 'Raw Ed25519 public key, 32 bytes.';
COMMENT ON COLUMN consilience.key.since IS 'Stream sequence from which it is in force.';
COMMENT ON COLUMN consilience.key.until IS 'Stream sequence that took it out of force; null while it is in force.';

CREATE TABLE consilience.quarantine (
    target int NOT NULL,
    seq    bigint NOT NULL,
    until  bigint,
    since  bigint NOT NULL,
    whole  bool NOT NULL,
    at     bigint NOT NULL,
    reason text NOT NULL,
    PRIMARY KEY (target, seq)
);
COMMENT ON TABLE consilience.quarantine IS 'Quarantines, lifted ones included: an entry sees those in force at its own place in the log. One per target, a newer one replaces it, a release lifts it (rulings Q6).';
COMMENT ON COLUMN consilience.quarantine.target IS 'Contributor that is quarantined, with all that derive from it.';
COMMENT ON COLUMN consilience.quarantine.seq IS 'Stream sequence of the fact.';
COMMENT ON COLUMN consilience.quarantine.until IS 'Stream sequence of the fact that replaced or lifted it; null while it is in force.';
COMMENT ON COLUMN consilience.quarantine.since IS 'Statements from this stream sequence on are masked; 0 masks all.';
COMMENT ON COLUMN consilience.quarantine.whole IS 'Whether shared items fall too (--all).';
COMMENT ON COLUMN consilience.quarantine.at IS 'Time of the fact, Unix milliseconds.';
COMMENT ON COLUMN consilience.quarantine.reason IS 'The reason the operator gave.';

-- +goose Down
DROP SCHEMA consilience CASCADE;
