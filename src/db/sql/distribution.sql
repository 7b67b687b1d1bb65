-- Where a distributed depot keeps each table. Tables whose rows belong to a result set are distributed by
-- inst_id. The list below contains all other tables. A reference table contains a small amount of configuration,
-- and every server has a copy. A coordinator table contains rows that one server must order or number. It exists
-- only on the coordinator, where the other servers read and write it. tools/check-sql and
-- tests/cli/db/schema_rules.sh read this list, too. The third column is the size in bytes of the rows that are still
-- in an ordinary table, without indexes; 0 if it has no rows. schema_migrations is last, see citus_partial.sql.
WITH listed (relation, place) AS (VALUES
    ('schema_migrations', 'reference'),     -- each server must know the depot's version
    ('categories', 'reference'),            -- configuration
    ('category_columns', 'reference'),      -- configuration
    ('suppressions', 'reference'),          -- configuration
    ('retention_rules', 'reference'),       -- configuration
    ('budgets', 'reference'),               -- configuration
    ('settings', 'reference'),              -- configuration
    ('owner_files', 'reference'),           -- configuration
    ('partitions', 'reference'),            -- empty, because a distributed depot is not partitioned
    ('ledger', 'coordinator'),              -- one server numbers all events
    ('published_runs', 'coordinator'),      -- the order of an application's runs, which every load reads
    ('earlier_runs', 'coordinator'),        -- earlier rows of published_runs
    ('folds', 'coordinator'),               -- each finding has an ordered history
    ('folded_findings', 'coordinator'),     -- each finding has an ordered history
    ('reviews', 'coordinator'),             -- numbered by the ledger
    ('finding_aliases', 'coordinator'),     -- numbered by the ledger
    ('posted_batches', 'coordinator'),      -- a sender can repeat a batch on any server
    ('posted_progress', 'coordinator'),     -- written in the same transaction as posted_batches
    ('jobs', 'coordinator')                 -- state of the servers that load uploads
)
SELECT c.relname, COALESCE(l.place, 'distributed') AS place,
       CASE WHEN pg_catalog.pg_relation_size(c.oid) > 0 THEN pg_catalog.pg_table_size(c.oid) ELSE 0 END
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
LEFT JOIN listed AS l ON l.relation = c.relname
WHERE n.nspname = 'profdepot' AND c.relkind = 'r'
  AND (l.place IS NOT NULL OR EXISTS (
      SELECT FROM pg_catalog.pg_attribute AS a
      WHERE a.attrelid = c.oid AND a.attnum = 1 AND a.attname = 'inst_id'))
ORDER BY CASE WHEN c.relname = 'schema_migrations' THEN 5 WHEN l.place = 'reference' THEN 1 WHEN c.relname = 'instances' THEN 2
             WHEN l.place IS NULL THEN 3 ELSE 4 END, c.relname COLLATE "C"
