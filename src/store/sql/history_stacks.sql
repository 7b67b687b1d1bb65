-- The stacks of a result set that have the same own frame as a finding. Each row has the class of a leak or the
-- detector's word for an error.
SELECT w.stack_id, w.own_identity, f.class_name, f.name, f.is_leak, f.count
FROM profdepot.own_frames w
JOIN (SELECT t.stack_id, k.class_name, NULL AS name, true AS is_leak, t.count
      FROM profdepot.live_totals t
      LEFT JOIN profdepot.class_names k ON k.inst_id = :inst_id::bigint AND k.rec_id = t.class
      WHERE t.inst_id = :inst_id::bigint
      UNION ALL
      SELECT e.stack_id, NULL, e.col_name, false, sum(e.count)
      FROM profdepot.resource_profiler_errors e
      WHERE e.inst_id = :inst_id::bigint
      GROUP BY e.stack_id, e.col_name) f ON f.stack_id = w.stack_id
WHERE w.inst_id = :inst_id::bigint
  AND COALESCE(w.routine_name, '') = :routine AND COALESCE(w.source_file, '') = :source_file
ORDER BY f.count DESC, w.stack_id
