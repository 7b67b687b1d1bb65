-- Labels of one result set.
-- params: inst_id number
SELECT :number::bigint AS inst_id,
       t.key,
       t.value
FROM profdepot.result_set_labels t
WHERE t.inst_id = :inst_id::bigint
ORDER BY t.key
