-- The schema and its table of migrations. Both may exist already: an administrator may have created
-- the schema for its owner, and a depot at version 0 has an empty table.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = 'profdepot') THEN
        CREATE SCHEMA profdepot;
    END IF;
END;
$$;
COMMENT ON SCHEMA profdepot IS 'profdepot: profiler results in the relational shape of AQTime''s Resource profiler';

CREATE TABLE IF NOT EXISTS profdepot.schema_migrations (
    version integer NOT NULL,
    name text COLLATE "C" NOT NULL,
    checksum bytea NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (version)
);
COMMENT ON TABLE profdepot.schema_migrations IS 'migrations applied to this depot, one row per migration';
COMMENT ON COLUMN profdepot.schema_migrations.version IS 'number of the migration; the highest is the depot''s version';
COMMENT ON COLUMN profdepot.schema_migrations.name IS 'name of the migration, as in its file name';
COMMENT ON COLUMN profdepot.schema_migrations.checksum IS 'SHA-256 of the migration file when it was applied';
COMMENT ON COLUMN profdepot.schema_migrations.applied_at IS 'time when the migration was applied, or when the depot was created with it';
