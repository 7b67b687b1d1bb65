-- Error counts by stack, with arrays in binary form. Returns no rows unless `metric` is 'errors'.
-- params: inst_id metric
SELECT s.routine_ids, t.value::text
FROM (SELECT COALESCE(e.stack_id, 0) AS stack_id, sum(e.count) AS value
      FROM profdepot.resource_profiler_errors e
      WHERE e.inst_id = :inst_id::bigint AND :metric::text = 'errors'
      GROUP BY 1) t
LEFT JOIN profdepot.stacks s ON s.inst_id = :inst_id::bigint AND s.stack_id = t.stack_id
