-- Size of the depot's relations with their indexes in bytes, and the number of result sets.
SELECT (SELECT COALESCE(sum(pg_catalog.pg_total_relation_size(c.oid)), 0)
        FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = 'profdepot' AND c.relkind IN ('r', 'm'))::bigint,
       (SELECT count(*) FROM profdepot.instances)
