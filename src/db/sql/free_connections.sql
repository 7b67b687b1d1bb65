-- Returns 1 for this connection, plus the number of further connections that the session's login role
-- can open in this database now. least() ignores a limit that is NULL. A login without special rights
-- sees only some columns of other sessions; datid is one of them.
WITH used AS (
    SELECT count(*) AS total, count(*) FILTER (WHERE datname = current_database()) AS here,
        count(*) FILTER (WHERE usename = session_user) AS mine
    FROM pg_catalog.pg_stat_activity
    WHERE datid IS NOT NULL
)
SELECT 1 + least(
    current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint
        - coalesce(current_setting('reserved_connections', true)::bigint, 0) - used.total,
    (SELECT nullif(d.datconnlimit, -1) - used.here FROM pg_catalog.pg_database d WHERE d.datname = current_database()),
    (SELECT nullif(r.rolconnlimit, -1) - used.mine FROM pg_catalog.pg_roles r WHERE r.rolname = session_user))
FROM used
