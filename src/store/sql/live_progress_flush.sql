-- Makes all earlier commits durable, and returns a server's progress. A commit waits for the disk and
-- for standbys only if its transaction wrote WAL. Therefore the query writes a meaningless message to
-- the WAL.
SELECT p.groups, pg_logical_emit_message(true, 'profdepot', '') AS at
FROM profdepot.posted_progress p
WHERE p.server = :server::uuid
ORDER BY p.groups DESC
LIMIT 1
