-- Routines of one result set, sorted by ID.
-- params: inst_id number
SELECT t.col_hit_count,
       t.col_compiler,
       t.col_address,
       t.col_analisys_result,
       t.col_class_name,
       t.col_code_type,
       t.col_module_name,
       t.col_namespace,
       t.col_profilelines,
       t.col_routine_name,
       t.col_source_file,
       t.col_source_line,
       t.col_symbol_moniker,
       t.col_token,
       t.col_unit_name,
       t.id,
       :number::bigint AS inst_id,
       t.parent_id,
       t.rec_id
FROM profdepot.resource_profiler_meta_routines t
WHERE t.inst_id = :inst_id::bigint
ORDER BY t.id
