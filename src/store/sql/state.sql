-- The state of a result set.
SELECT i.state
FROM profdepot.instances i
WHERE i.inst_id = :inst_id::bigint
