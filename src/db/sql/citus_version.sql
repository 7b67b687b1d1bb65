-- The version of Citus that the server offers, and the one in this database; NULL if there is none. May
-- the login create servers and extensions?
SELECT (SELECT a.default_version FROM pg_catalog.pg_available_extensions AS a WHERE a.name = 'citus'),
       (SELECT e.extversion FROM pg_catalog.pg_extension AS e WHERE e.extname = 'citus'),
       (SELECT r.rolsuper FROM pg_catalog.pg_roles AS r WHERE r.rolname = current_user)
