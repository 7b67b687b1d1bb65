-- Routines of one result set by ID. $1: its number; $2 is not used.
SELECT t.id,
       t.parent_id,
       t.rec_id,
       t.col_hit_count,
       t.col_compiler,
       t.col_profilelines,
       t.col_source_line,
       t.col_token,
       t.col_address,
       t.col_analisys_result,
       t.col_class_name,
       t.col_code_type,
       t.col_module_name,
       t.col_namespace,
       t.col_routine_name,
       t.col_source_file,
       t.col_symbol_moniker,
       t.col_unit_name,
       t.attributes
FROM profdepot.resource_profiler_meta_routines t
WHERE t.inst_id = $1::bigint AND $2::bigint IS NOT NULL
ORDER BY t.id
