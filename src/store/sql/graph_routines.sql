-- Routine costs from the call graph; no row if there is no call graph.
SELECT r.col_module_name, r.col_class_name, r.col_routine_name, sum(t.self) AS self, sum(t.total) AS total
FROM profdepot.routine_totals t
JOIN profdepot.metrics m ON m.inst_id = :inst_id::bigint AND m.metric_no = t.metric_no AND m.name = :metric
JOIN profdepot.resource_profiler_meta_routines r ON r.inst_id = :inst_id::bigint AND r.rec_id = t.routine_id
WHERE t.inst_id = :inst_id::bigint
  AND EXISTS (SELECT FROM profdepot.call_graph g WHERE g.inst_id = :inst_id::bigint)
GROUP BY r.col_module_name, r.col_class_name, r.col_routine_name
