-- Deletes a result set's checksums.
DELETE FROM profdepot.result_set_checksums c
WHERE c.inst_id = :inst_id::bigint
