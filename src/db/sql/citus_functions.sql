-- Puts the depot's functions on every server. Citus itself does this only for functions that were created after the
-- extension.
SELECT pg_catalog.create_distributed_function(p.oid::pg_catalog.regprocedure)
FROM pg_catalog.pg_proc AS p
JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
WHERE n.nspname = 'profdepot' AND p.prorettype <> 'pg_catalog.trigger'::pg_catalog.regtype
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_dist_object AS o
                  WHERE o.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND o.objid = p.oid)
