-- Names of the classes of one result set by ID. $1: its number; $2 is not used.
SELECT t.id,
       t.parent_id,
       t.rec_id,
       t.col_class_name,
       t.col_module_name,
       t.col_symbol_moniker
FROM profdepot.resource_profiler_meta_classes_data t
WHERE t.inst_id = $1::bigint AND $2::bigint IS NOT NULL
ORDER BY t.id
