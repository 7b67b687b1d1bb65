-- Sets the planner's numbers of distinct values (schema/495_statistics.sql) on all shards, because
-- Citus creates and moves shards without these numbers. Returns the number of shards that could not be
-- changed.
SELECT count(*) FILTER (WHERE NOT r.success)
FROM pg_catalog.pg_dist_partition AS p
JOIN pg_catalog.pg_class AS c ON c.oid = p.logicalrelid
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid
CROSS JOIN LATERAL unnest(a.attoptions) AS o (text)
CROSS JOIN LATERAL pg_catalog.run_command_on_shards(c.oid::pg_catalog.regclass,
    format('ALTER TABLE %%s ALTER %I SET (%s)', a.attname, o.text)) AS r
WHERE n.nspname = 'profdepot' AND p.partmethod = 'h' AND o.text LIKE 'n_distinct=%'
