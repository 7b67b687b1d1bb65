-- Locks an open result set until the transaction ends, and marks it with the number of this
-- transaction. `was`: the number of the transaction that must have marked the set last; NULL
-- for any transaction. If another transaction has marked the set since then, returns no row.
UPDATE profdepot.instances i
SET touched = :number::bigint
WHERE i.inst_id = :inst_id::bigint AND i.state = 'open' AND (:was::bigint IS NULL OR i.touched = :was)
RETURNING i.inst_id
