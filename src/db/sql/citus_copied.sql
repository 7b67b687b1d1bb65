-- The rows that the running create_distributed_table has copied to the shards so far. Each worker knows its part.
SELECT COALESCE(sum(r.result::bigint), 0)
FROM pg_catalog.run_command_on_all_nodes(format($command$
    SELECT COALESCE(sum(p.tuples_processed), 0) FROM pg_catalog.pg_stat_progress_copy AS p
    WHERE p.datname = %L AND p.command = 'COPY FROM'
$command$, current_database())) AS r
WHERE r.success
