-- The servers of the cluster, the coordinator first.
SELECT n.nodename, n.nodeport, n.groupid = 0
FROM pg_catalog.pg_dist_node AS n
WHERE n.noderole = 'primary'
ORDER BY n.groupid
