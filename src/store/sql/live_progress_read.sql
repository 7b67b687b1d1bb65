-- The number of a server's last committed transaction. Fails (55P03) while one of its transactions
-- is running, because that transaction holds a lock on the row. This query also locks the row, which
-- writes WAL. Therefore its commit waits until the transactions up to the returned number are durable.
SELECT p.groups
FROM profdepot.posted_progress p
WHERE p.server = :server::uuid
ORDER BY p.groups DESC
LIMIT 1
FOR UPDATE NOWAIT
