-- Locks an open result set until the transaction ends. `xmin`: locks it only if the transaction with
-- this ID was the last to change it; NULL: locks it in any case.
UPDATE profdepot.instances i
SET state = i.state
WHERE i.inst_id = :inst_id::bigint AND i.state = 'open' AND (:xmin::text IS NULL OR i.xmin::text = :xmin)
RETURNING i.inst_id
