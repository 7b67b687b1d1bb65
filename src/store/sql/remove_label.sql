-- Deletes a label of a result set.
DELETE FROM profdepot.result_set_labels l
WHERE l.inst_id = :inst_id::bigint AND l.key = :key
