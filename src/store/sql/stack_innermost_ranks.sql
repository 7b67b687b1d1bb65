-- Ranks some stacks of two result sets by the names of their innermost frames. Equal names give equal ranks. The new
-- result set is side 0.
-- params: inst_id base_id stacks base_stacks
SELECT f.side, f.stack_id, dense_rank() OVER (ORDER BY f.module, f.class, f.routine)
FROM (SELECT 0 AS side, s.stack_id, COALESCE(r.col_module_name, '') AS module,
             COALESCE(r.col_class_name, '') AS class, COALESCE(r.col_routine_name, '') AS routine
      FROM profdepot.stacks s
      LEFT JOIN profdepot.resource_profiler_meta_routines r
          ON r.inst_id = :inst_id::bigint AND r.rec_id = s.routine_ids[1]
      WHERE s.inst_id = :inst_id::bigint AND s.stack_id = ANY (:stacks::integer[])
      UNION ALL
      SELECT 1, s.stack_id, COALESCE(r.col_module_name, ''), COALESCE(r.col_class_name, ''),
             COALESCE(r.col_routine_name, '')
      FROM profdepot.stacks s
      LEFT JOIN profdepot.resource_profiler_meta_routines r
          ON r.inst_id = :base_id::bigint AND r.rec_id = s.routine_ids[1]
      WHERE s.inst_id = :base_id::bigint AND s.stack_id = ANY (:base_stacks::integer[])) f
ORDER BY 1, 2
