-- Routines of a result set.
SELECT r.rec_id, r.col_symbol_moniker, r.col_routine_name, r.col_class_name, r.col_module_name,
       r.col_source_file, r.col_source_line
FROM profdepot.resource_profiler_meta_routines r
WHERE r.inst_id = :inst_id::bigint AND r.rec_id IS NOT NULL
ORDER BY r.id
