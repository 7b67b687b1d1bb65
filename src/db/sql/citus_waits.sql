-- The transactions for which the replication of a shard waits, on all servers: host and port of the server, database,
-- name of a prepared transaction or NULL, and seconds since its start. A shard cannot move while a transaction is open
-- that began before the move, even if it belongs to another database of the server.
SELECT n.nodename, n.nodeport, w.database, w.name, w.seconds
FROM pg_catalog.run_command_on_all_nodes($command$
    SELECT json_agg(t)
    FROM (SELECT p.database, p.gid AS name, extract(epoch FROM clock_timestamp() - p.prepared)::bigint AS seconds
          FROM pg_catalog.pg_locks AS l
          JOIN pg_catalog.pg_prepared_xacts AS p ON p.transaction = l.transactionid
          WHERE NOT l.granted
          UNION
          SELECT a.datname, NULL, extract(epoch FROM clock_timestamp() - a.xact_start)::bigint
          FROM pg_catalog.pg_locks AS l
          JOIN pg_catalog.pg_stat_activity AS s ON s.pid = l.pid AND s.backend_type = 'walsender'
          JOIN pg_catalog.pg_stat_activity AS a ON a.backend_xid = l.transactionid
          WHERE NOT l.granted) AS t
$command$) AS r
JOIN pg_catalog.pg_dist_node AS n ON n.nodeid = r.nodeid
CROSS JOIN LATERAL json_to_recordset(CASE WHEN r.success AND r.result <> '' THEN r.result END::json)
    AS w (database text, name text, seconds bigint)
ORDER BY w.seconds DESC
