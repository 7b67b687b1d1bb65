-- State of a result set. $1: its number.
SELECT i.state
FROM profdepot.instances i
WHERE i.inst_id = $1::bigint
