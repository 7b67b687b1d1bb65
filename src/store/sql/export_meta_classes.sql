-- Names of the classes of one result set by ID. $1: its number; $2: the number to write.
SELECT t.col_class_name,
       t.col_module_name,
       t.col_symbol_moniker,
       t.id,
       $2::bigint AS inst_id,
       t.parent_id,
       t.rec_id
FROM profdepot.resource_profiler_meta_classes_data t
WHERE t.inst_id = $1::bigint
ORDER BY t.id
