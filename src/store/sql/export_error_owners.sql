-- Errors of one result set in the order of their frames. $1: its number; $2: the number to write.
SELECT t.id,
       t.stack_first_id,
       t.stack_id,
       $2::bigint AS inst_id
FROM profdepot.resource_profiler_errors t
WHERE t.inst_id = $1::bigint AND t.stack_id IS NOT NULL
ORDER BY t.stack_first_id, t.id
