-- The analysts' role: it cannot log in, is granted to those who may read, and
-- sees the views and nothing else. It belongs to the server, not to a database,
-- so another migration may have made it, or be making it now. Run after every
-- migration: a role that could not be made then is granted as soon as it exists.
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'memory_analyst') THEN
        CREATE ROLE memory_analyst NOLOGIN;
    END IF;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL;
    WHEN insufficient_privilege THEN
        RAISE WARNING 'role memory_analyst does not exist and this user may not create roles: have it created (CREATE ROLE memory_analyst NOLOGIN) and migrate again';
END $$;

DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'memory_analyst')
       AND EXISTS (SELECT FROM pg_namespace WHERE nspname = 'memory') THEN
        GRANT USAGE ON SCHEMA memory TO memory_analyst;
        GRANT SELECT ON ALL TABLES IN SCHEMA memory TO memory_analyst;
    END IF;
END $$;
