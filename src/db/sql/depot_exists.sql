-- Returns whether the depot's table of migrations exists, the number of relations in the schema, and whether the
-- database has Citus.
-- The query needs no rights on the depot, because every role can read the catalogue.
SELECT count(*) FILTER (WHERE c.relname = 'schema_migrations' AND c.relkind IN ('r', 'p')),
       count(*), pg_catalog.to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = 'profdepot'
