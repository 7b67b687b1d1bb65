-- Records a migration; the checksum is SHA-256 in hex.
INSERT INTO profdepot.schema_migrations (version, name, checksum)
VALUES (:version::integer, :name, pg_catalog.decode(:checksum, 'hex'))
