-- The depot's tables that Citus manages, and whether a local copy of the rows is left on this server.
SELECT c.relname, p.partmethod = 'h' AND pg_catalog.pg_relation_size(c.oid) > 0
FROM pg_catalog.pg_dist_partition AS p
JOIN pg_catalog.pg_class AS c ON c.oid = p.logicalrelid
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = 'profdepot'
