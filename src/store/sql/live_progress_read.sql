-- The number of a server's last committed transaction. Fails (55P03) while one of its transactions is
-- running, because the row is locked. The lock writes WAL, so that this transaction's commit waits
-- until everything it reports is durable.
SELECT p.groups
FROM profdepot.posted_progress p
WHERE p.server = :server::uuid
ORDER BY p.groups DESC
LIMIT 1
FOR UPDATE NOWAIT
