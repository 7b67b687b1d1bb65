-- Deletes a result set's row in instances, after all its other rows.
DELETE FROM profdepot.instances i
WHERE i.inst_id = :inst_id::bigint
