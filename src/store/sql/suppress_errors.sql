-- Errors of a result set with their first stacks.
SELECT e.id, COALESCE(e.stack_id, 0), e.col_name, e.col_description, e.count
FROM profdepot.resource_profiler_errors e
WHERE e.inst_id = :inst_id::bigint
ORDER BY e.id
