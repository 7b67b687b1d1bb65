-- Returns true if the session's login has at most the rights of profdepot_reader. Only such a login may run statements
-- that other people wrote. Even after SET ROLE, such a statement can call set_config, and the session then has the
-- login's rights again.
SELECT NOT EXISTS (
    SELECT FROM pg_catalog.pg_roles AS r
    WHERE pg_catalog.pg_has_role(session_user, r.oid, 'MEMBER')
      AND (r.rolsuper OR r.rolreplication OR r.rolname NOT IN (session_user, 'profdepot_reader')))
  AND NOT pg_catalog.has_table_privilege(session_user, 'profdepot.instances', 'INSERT, UPDATE, DELETE')
