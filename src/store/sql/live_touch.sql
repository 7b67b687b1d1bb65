-- Locks an open result set until the transaction ends, and marks it with the number of this
-- transaction. `was`: does so only if the transaction with this number was the last to mark it; NULL
-- for any transaction.
UPDATE profdepot.instances i
SET touched = :number::bigint
WHERE i.inst_id = :inst_id::bigint AND i.state = 'open' AND (:was::bigint IS NULL OR i.touched = :was)
RETURNING i.inst_id
