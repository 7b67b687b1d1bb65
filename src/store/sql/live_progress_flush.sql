-- Makes all durable that was committed before, and tells how far a server had come. $1: the server.
-- The message means nothing to anybody: a commit waits for the disk, and for standbys, only when its
-- transaction wrote WAL.
SELECT p.groups, pg_logical_emit_message(true, 'profdepot', '') AS at
FROM profdepot.posted_progress p
WHERE p.server = $1::uuid
ORDER BY p.groups DESC
LIMIT 1
