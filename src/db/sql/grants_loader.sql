-- The rights of profdepot_loader, including rights on future tables. Only the loader may call
-- SECURITY DEFINER functions.
GRANT USAGE ON SCHEMA profdepot TO profdepot_loader;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA profdepot TO profdepot_loader;
GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA profdepot TO profdepot_loader;
REVOKE INSERT, UPDATE, DELETE ON profdepot.schema_migrations, profdepot.partitions FROM profdepot_loader;
ALTER DEFAULT PRIVILEGES IN SCHEMA profdepot
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO profdepot_loader;
ALTER DEFAULT PRIVILEGES IN SCHEMA profdepot GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO profdepot_loader;
DO $$
DECLARE
    f record;
BEGIN
    FOR f IN
        SELECT p.oid::pg_catalog.regprocedure AS signature
        FROM pg_catalog.pg_proc AS p
        JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
        WHERE n.nspname = 'profdepot' AND p.prosecdef
        ORDER BY p.oid
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', f.signature);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO profdepot_loader', f.signature);
    END LOOP;
END;
$$;
