-- Errors by stack, arrays in binary. $1 inst_id, $2 metric: errors.
SELECT s.routine_ids, t.value::text
FROM (SELECT COALESCE(e.stack_id, 0) AS stack_id, sum(e.count) AS value
      FROM profdepot.resource_profiler_errors e
      WHERE e.inst_id = $1::bigint AND $2::text = 'errors'
      GROUP BY 1) t
LEFT JOIN profdepot.stacks s ON s.inst_id = $1::bigint AND s.stack_id = t.stack_id
