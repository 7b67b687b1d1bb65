-- The session becomes profdepot_reader where it may, and where that role can read this depot. No row
-- where it cannot: the login's own rights hold then. $1: name of the role.
SELECT pg_catalog.set_config('role', r.rolname, false)
FROM pg_catalog.pg_roles AS r
JOIN pg_catalog.pg_namespace AS n ON n.nspname = 'profdepot'
WHERE r.rolname = $1
  AND pg_catalog.pg_has_role(current_user, r.oid, 'MEMBER')
  AND pg_catalog.has_schema_privilege(r.oid, n.oid, 'USAGE')
