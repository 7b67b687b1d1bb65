-- Stacks of the objects and errors.
SELECT s.stack_id, s.routine_ids, s.line_ids
FROM profdepot.stacks s
JOIN (SELECT o.stack_id FROM profdepot.resource_profiler_objects o WHERE o.inst_id = :inst_id::bigint
      UNION
      SELECT e.stack_id FROM profdepot.resource_profiler_errors e WHERE e.inst_id = :inst_id::bigint
      UNION
      SELECT f.stack_id FROM profdepot.further_stacks f
      WHERE f.inst_id = :inst_id::bigint AND f.owner = 'error') w ON w.stack_id = s.stack_id
WHERE s.inst_id = :inst_id::bigint
