-- Returns whether the depot's table of migrations exists, whether the schema has any relations, and whether the
-- database has Citus. A partitioned depot can have thousands of relations, so the query does not read about all of them.
-- The query needs no rights on the depot, because every role can read the catalogue.
SELECT EXISTS (SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
               WHERE n.nspname = 'profdepot' AND c.relname = 'schema_migrations' AND c.relkind IN ('r', 'p')),
       EXISTS (SELECT FROM pg_catalog.pg_class c
               WHERE c.relnamespace = (SELECT n.oid FROM pg_catalog.pg_namespace n WHERE n.nspname = 'profdepot')),
       pg_catalog.to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL
