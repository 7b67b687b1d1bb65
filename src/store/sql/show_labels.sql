-- Labels of a result set. $1: its number.
SELECT l.key, l.value
FROM profdepot.result_set_labels l
WHERE l.inst_id = $1::bigint
ORDER BY l.key
