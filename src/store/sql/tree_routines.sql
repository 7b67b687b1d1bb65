-- The stored costs of each routine, with its name as in tree_names. tree_total is the tree's total.
WITH names AS MATERIALIZED (
    SELECT DISTINCT ON (r.rec_id) r.rec_id, r.col_module_name, r.col_class_name, r.col_routine_name,
           r.col_unit_name, r.col_source_file, r.col_source_line
    FROM profdepot.resource_profiler_meta_routines r
    WHERE r.inst_id = :inst_id::bigint AND r.rec_id IS NOT NULL
    ORDER BY r.rec_id, r.id
)
SELECT n.col_module_name, n.col_class_name, n.col_routine_name, n.col_unit_name, n.col_source_file, n.col_source_line,
       t.self, t.total,
       (SELECT b.totals[array_position(b.nodes, 0)]
        FROM profdepot.call_tree_blocks b
        WHERE b.inst_id = :inst_id::bigint AND b.metric_no = :metric_no::integer
          AND array_position(b.nodes, 0) IS NOT NULL) AS tree_total,
       t.routine_id
FROM profdepot.routine_totals t
LEFT JOIN names n ON n.rec_id = t.routine_id
WHERE t.inst_id = :inst_id::bigint AND t.metric_no = :metric_no::integer
