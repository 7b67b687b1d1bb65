-- Makes all earlier commits durable, and returns a server's progress. The message has no meaning;
-- it is written because a commit waits for the disk and for standbys only if its transaction wrote
-- WAL.
SELECT p.groups, pg_logical_emit_message(true, 'profdepot', '') AS at
FROM profdepot.posted_progress p
WHERE p.server = :server::uuid
ORDER BY p.groups DESC
LIMIT 1
