-- Where this server is in its Citus cluster: its group, which is 0 for the coordinator, the address of the coordinator,
-- and all servers as one text.
SELECT g.groupid, c.nodename, c.nodeport,
       (SELECT string_agg(format('%s %s %s', n.groupid, n.nodename, n.nodeport), ', ' ORDER BY n.groupid, n.nodeid)
        FROM pg_catalog.pg_dist_node AS n)
FROM pg_catalog.pg_dist_local_group AS g
LEFT JOIN pg_catalog.pg_dist_node AS c ON c.groupid = 0 AND c.noderole = 'primary'
