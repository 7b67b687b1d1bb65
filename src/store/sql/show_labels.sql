-- Labels of a result set.
SELECT l.key, l.value
FROM profdepot.result_set_labels l
WHERE l.inst_id = :inst_id::bigint
ORDER BY l.key
