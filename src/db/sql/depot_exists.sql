-- Is there a depot's ledger, and is there anything at all in the schema? Asked of the catalog, which
-- everybody may read.
SELECT count(*) FILTER (WHERE c.relname = 'schema_migrations' AND c.relkind IN ('r', 'p')),
       count(*)
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = 'profdepot'
