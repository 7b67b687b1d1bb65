-- Labels of one result set. $1: its number; $2: the number to write.
SELECT $2::bigint AS inst_id,
       t.key,
       t.value
FROM profdepot.result_set_labels t
WHERE t.inst_id = $1::bigint
ORDER BY t.key
