-- Locks a result set's row until the transaction ends.
SELECT i.inst_id
FROM profdepot.instances i
WHERE i.inst_id = :inst_id::bigint
FOR UPDATE
