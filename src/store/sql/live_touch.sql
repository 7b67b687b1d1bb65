-- Locks an open result set until the transaction ends. `xmin`: only if this transaction changed it
-- last; NULL for any.
UPDATE profdepot.instances i
SET state = i.state
WHERE i.inst_id = :inst_id::bigint AND i.state = 'open' AND (:xmin::text IS NULL OR i.xmin::text = :xmin)
RETURNING i.inst_id
