-- The names of the classes of a result set.
-- params: inst_id
SELECT c.rec_id, COALESCE(c.class_name, ''), COALESCE(c.module_name, '')
FROM profdepot.class_names c
WHERE c.inst_id = :inst_id::bigint
