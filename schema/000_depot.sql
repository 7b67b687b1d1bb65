-- The schema itself and what was done to it. Both may be there already: an administrator may have
-- made the schema for its owner, and a depot at version 0 has the empty table.
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
COMMENT ON TABLE profdepot.schema_migrations IS 'changes of the schema that this depot has, one row a migration';
COMMENT ON COLUMN profdepot.schema_migrations.version IS 'number of the migration; the highest is the depot''s version';
COMMENT ON COLUMN profdepot.schema_migrations.name IS 'what it did, as its file is named';
COMMENT ON COLUMN profdepot.schema_migrations.checksum IS 'SHA-256 of the file as it was applied';
COMMENT ON COLUMN profdepot.schema_migrations.applied_at IS 'when it was applied, or when the depot was made with it';
