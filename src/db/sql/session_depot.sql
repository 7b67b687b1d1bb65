-- Settings of sessions on a depot. If the client ends, its query is cancelled within a second. A session
-- waits for its client as long as necessary, for example while the client reads a large file twice. In a
-- distributed depot, SET LOCAL also reaches the other servers.
SELECT pg_catalog.set_config(v.name, v.value, false)
FROM (VALUES ('client_connection_check_interval', '1s'), ('idle_session_timeout', '0'),
             ('citus.propagate_set_commands', 'local')) AS v (name, value)
WHERE pg_catalog.current_setting(v.name, true) IS NOT NULL AND pg_catalog.version() !~ 'Visual C|mingw'
