-- The last row of a result set. $1: its number.
DELETE FROM profdepot.instances i
WHERE i.inst_id = $1::bigint
