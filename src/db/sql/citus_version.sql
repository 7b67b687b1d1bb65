-- Returns the version of Citus that the server offers, the version that is installed in this database,
-- and whether the login may create servers and extensions. The first version is NULL if the server does not
-- offer Citus, and the second is NULL if Citus is not installed.
SELECT (SELECT a.default_version FROM pg_catalog.pg_available_extensions AS a WHERE a.name = 'citus'),
       (SELECT e.extversion FROM pg_catalog.pg_extension AS e WHERE e.extname = 'citus'),
       (SELECT r.rolsuper FROM pg_catalog.pg_roles AS r WHERE r.rolname = current_user)
