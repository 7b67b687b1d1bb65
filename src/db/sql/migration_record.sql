-- $1: version, $2: name, $3: SHA-256 in hex
INSERT INTO profdepot.schema_migrations (version, name, checksum)
VALUES ($1::integer, $2, pg_catalog.decode($3, 'hex'))
