-- Takes a label from a result set. $1 number, $2 key.
DELETE FROM profdepot.result_set_labels l
WHERE l.inst_id = $1::bigint AND l.key = $2
