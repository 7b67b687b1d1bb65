-- Migrations that this depot has.
SELECT m.version, m.name, pg_catalog.encode(m.checksum, 'hex')
FROM profdepot.schema_migrations AS m
ORDER BY m.version
