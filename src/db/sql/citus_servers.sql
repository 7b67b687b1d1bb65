-- The servers of a distributed depot: name, port, whether it is the coordinator, number of its shards, and
-- bytes of these shards with their indexes.
SELECT n.nodename, n.nodeport, n.groupid = 0 AS is_coordinator,
       count(*) FILTER (WHERE s.table_name = 'profdepot.instances'::pg_catalog.regclass) AS shards,
       COALESCE(sum(s.shard_size), 0)::bigint AS bytes
FROM pg_catalog.pg_dist_node AS n
LEFT JOIN (SELECT t.* FROM pg_catalog.citus_shards AS t
           JOIN pg_catalog.pg_class AS c ON c.oid = t.table_name
           WHERE c.relnamespace = 'profdepot'::pg_catalog.regnamespace) AS s
    ON s.nodename = n.nodename AND s.nodeport = n.nodeport
WHERE n.noderole = 'primary'
GROUP BY n.nodename, n.nodeport, n.groupid
ORDER BY n.groupid
