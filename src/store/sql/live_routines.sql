-- Routines of an open result set.
SELECT r.rec_id, r.col_module_name, r.col_class_name, r.col_routine_name, r.col_source_file,
       r.col_code_type, r.id, r.col_source_line
FROM profdepot.resource_profiler_meta_routines r
WHERE r.inst_id = :inst_id::bigint
ORDER BY r.id
