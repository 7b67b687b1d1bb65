-- What a server stored: number of its last committed transaction. $1: the server.
-- While one of its transactions still runs, the row is locked, and this fails (55P03). The lock writes
-- WAL, so that this transaction's commit waits until all that it tells of is durable.
SELECT p.groups
FROM profdepot.posted_progress p
WHERE p.server = $1::uuid
ORDER BY p.groups DESC
LIMIT 1
FOR UPDATE NOWAIT
