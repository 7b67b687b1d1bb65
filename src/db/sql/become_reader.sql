-- Switches the session to the role profdepot_reader if the login may use this role and the role can read this depot.
-- Otherwise returns no row, and the login's own rights apply.
SELECT pg_catalog.set_config('role', r.rolname, false)
FROM pg_catalog.pg_roles AS r
JOIN pg_catalog.pg_namespace AS n ON n.nspname = 'profdepot'
WHERE r.rolname = :role
  AND pg_catalog.pg_has_role(current_user, r.oid, 'MEMBER')
  AND pg_catalog.has_schema_privilege(r.oid, n.oid, 'USAGE')
