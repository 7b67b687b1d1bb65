-- Names of routines. $1 inst_id, $2 their REC_IDs; of rows that share one the
-- first stands.
SELECT DISTINCT ON (r.rec_id) r.rec_id, r.col_module_name, r.col_class_name, r.col_routine_name,
       r.col_unit_name, r.col_source_file, r.col_source_line
FROM profdepot.resource_profiler_meta_routines r
WHERE r.inst_id = $1::bigint AND r.rec_id = ANY ($2::bigint[])
ORDER BY r.rec_id, r.id
