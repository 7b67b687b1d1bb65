-- The name of an object; no row if it does not exist.
SELECT COALESCE(c.class_name, '') || COALESCE('.' || o.col__, '')
FROM profdepot.resource_profiler_objects o
LEFT JOIN profdepot.class_names c ON c.inst_id = :inst_id::bigint AND c.rec_id = o.col_classrid
WHERE o.inst_id = :inst_id::bigint AND o.id = :id::bigint
