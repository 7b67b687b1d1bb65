-- Records a migration; the checksum is a SHA-256 hash in hex.
INSERT INTO profdepot.schema_migrations (version, name, checksum)
VALUES (:version::integer, :name, pg_catalog.decode(:checksum, 'hex'))
