-- The routines of a result set, which contain the names of the frames. If several routines share a rec_id,
-- the first one counts.
SELECT r.rec_id, r.col_module_name, r.col_class_name, r.col_routine_name, r.col_unit_name,
       r.col_source_file, r.col_source_line, r.col_symbol_moniker
FROM profdepot.resource_profiler_meta_routines r
WHERE r.inst_id = :inst_id::bigint AND r.rec_id IS NOT NULL
ORDER BY r.id
