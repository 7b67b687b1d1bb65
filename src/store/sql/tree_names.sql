-- Routine names by REC_ID. If several routines share a REC_ID, the first one is used.
SELECT DISTINCT ON (r.rec_id) r.rec_id, r.col_module_name, r.col_class_name, r.col_routine_name,
       r.col_unit_name, r.col_source_file, r.col_source_line
FROM profdepot.resource_profiler_meta_routines r
WHERE r.inst_id = :inst_id::bigint AND r.rec_id = ANY (:rec_ids::bigint[])
ORDER BY r.rec_id, r.id
