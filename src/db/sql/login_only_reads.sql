-- Returns whether the session's login has no more rights than profdepot_reader. A statement can give the session its
-- login's rights with set_config, even after SET ROLE, so only such a login may run statements of other people.
SELECT NOT EXISTS (
    SELECT FROM pg_catalog.pg_roles AS r
    WHERE pg_catalog.pg_has_role(session_user, r.oid, 'MEMBER')
      AND (r.rolsuper OR r.rolreplication OR r.rolname NOT IN (session_user, 'profdepot_reader')))
  AND NOT pg_catalog.has_table_privilege(session_user, 'profdepot.instances', 'INSERT, UPDATE, DELETE')
