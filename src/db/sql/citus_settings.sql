-- The settings that the other servers need, because the settings of a session do not reach them: servers connect to
-- each other as the depot's roles, long values are compressed as in session_writer, and queries are not compiled, as in
-- report_answer.c: compiling the statement of a report takes 2 s. Only the roles that may call a function on the
-- coordinator may call it elsewhere. Queries may call stack_text. Citus runs these statements on every server.
DO $$
DECLARE
    item record;
BEGIN
    FOR item IN SELECT r.rolname FROM pg_catalog.pg_roles AS r
        WHERE r.rolname IN ('profdepot_loader', 'profdepot_reader') AND NOT r.rolcanlogin
    LOOP
        EXECUTE format('ALTER ROLE %I LOGIN', item.rolname);
    END LOOP;
    FOR item IN SELECT FROM pg_catalog.pg_settings AS s
        WHERE s.name = 'default_toast_compression' AND 'lz4' = ANY (s.enumvals)
    LOOP
        EXECUTE format('ALTER DATABASE %I SET default_toast_compression = lz4', current_database());
    END LOOP;
    EXECUTE format('ALTER DATABASE %I SET jit = off', current_database());
    -- GRANT ... ON ALL TABLES does not include views on other servers.
    FOR item IN SELECT c.oid::pg_catalog.regclass AS relation, r.rolname
        FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        CROSS JOIN pg_catalog.pg_roles AS r
        WHERE n.nspname = 'profdepot' AND c.relkind = 'v'
          AND r.rolname IN ('profdepot_loader', 'profdepot_reader')
        ORDER BY 1, 2
    LOOP
        EXECUTE format('GRANT SELECT ON %s TO %I', item.relation, item.rolname);
    END LOOP;
    -- create_distributed_function does not copy the rights to functions.
    FOR item IN SELECT format('profdepot.%I(%s)', p.proname, pg_get_function_identity_arguments(p.oid)) AS function, r.rolname
        FROM pg_catalog.pg_proc AS p
        JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
        CROSS JOIN LATERAL pg_catalog.aclexplode(p.proacl) AS a
        JOIN pg_catalog.pg_roles AS r ON r.oid = a.grantee
        WHERE n.nspname = 'profdepot' AND p.prorettype <> 'pg_catalog.trigger'::pg_catalog.regtype
          AND NOT has_function_privilege('public', p.oid, 'execute')
        ORDER BY 1, 2
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', item.function);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', item.function, item.rolname);
    END LOOP;
    -- Queries call this function for each row. All rows that the function reads are on the server of the query.
    ALTER FUNCTION profdepot.stack_text(bigint, integer) SET citus.allow_nested_distributed_execution = on;
END;
$$
