-- The frames of some stacks, sorted by stack, from the innermost to the outermost. If several routines share a
-- rec_id, the first one is used.
-- params: inst_id stacks
SELECT s.stack_id, f.place, r.col_module_name, r.col_class_name, r.col_routine_name, r.col_unit_name,
       r.col_source_file, COALESCE(l.col_source_line, r.col_source_line), r.col_symbol_moniker
FROM profdepot.stacks s
CROSS JOIN LATERAL unnest(s.routine_ids, s.line_ids) WITH ORDINALITY AS f (routine_id, line_id, place)
LEFT JOIN profdepot.resource_profiler_meta_routines r
    ON r.inst_id = :inst_id::bigint AND r.rec_id = f.routine_id
LEFT JOIN profdepot.resource_profiler_meta_lines l
    ON l.inst_id = :inst_id::bigint AND l.parent_id = r.id AND l.rec_id = f.line_id
WHERE s.inst_id = :inst_id::bigint AND s.stack_id = ANY (:stacks::integer[])
ORDER BY s.stack_id, f.place, r.id
