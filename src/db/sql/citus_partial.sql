-- Whether "db distribute" has begun but not finished: Citus manages tables of the depot, but not the one that db
-- distribute places last.
SELECT count(*) > 0 AND count(*) FILTER (WHERE c.relname = 'schema_migrations') = 0
FROM pg_catalog.pg_dist_partition AS p
JOIN pg_catalog.pg_class AS c ON c.oid = p.logicalrelid
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = 'profdepot'
