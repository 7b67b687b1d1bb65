-- The migrations applied to this depot.
SELECT m.version, m.name, pg_catalog.encode(m.checksum, 'hex')
FROM profdepot.schema_migrations AS m
ORDER BY m.version
