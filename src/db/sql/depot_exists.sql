-- Does the depot's ledger exist, and does the schema hold anything at all? Asks the catalog, which
-- everybody may read.
SELECT count(*) FILTER (WHERE c.relname = 'schema_migrations' AND c.relkind IN ('r', 'p')),
       count(*)
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = 'profdepot'
