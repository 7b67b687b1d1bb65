-- Holds a result set's row until the transaction ends. $1: its number.
SELECT i.inst_id
FROM profdepot.instances i
WHERE i.inst_id = $1::bigint
FOR UPDATE
