-- Returns whether the depot's table of migrations exists, and the number of relations in the schema.
-- The query needs no rights on the depot, because every role can read the catalogue.
SELECT count(*) FILTER (WHERE c.relname = 'schema_migrations' AND c.relkind IN ('r', 'p')),
       count(*)
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = 'profdepot'
