-- Roles belong to the whole server: another depot may have created them, even at the same moment.
-- These roles are groups, which an administrator grants to logins. The login that creates the roles
-- becomes a member of both roles.
DO $$
DECLARE
    role_name text;
    -- Since PostgreSQL 16, a login that creates a role becomes a member of this role, but cannot switch to it with
    -- SET ROLE.
    privilege constant text :=
        CASE WHEN current_setting('server_version_num')::integer < 160000 THEN 'MEMBER' ELSE 'SET' END;
BEGIN
    FOREACH role_name IN ARRAY ARRAY['profdepot_loader', 'profdepot_reader'] LOOP
        IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = role_name) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN
                NULL;
            END;
        END IF;
        IF NOT pg_catalog.pg_has_role(current_user, role_name, privilege) THEN
            BEGIN
                EXECUTE format('GRANT %I TO %I', role_name, current_user);
            EXCEPTION WHEN insufficient_privilege OR invalid_grant_operation THEN
                NULL;
            END;
        END IF;
    END LOOP;
END;
$$
