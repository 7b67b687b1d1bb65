-- Objects of one result set in the order of their frames.
-- params: inst_id number
SELECT t.id,
       t.stack_first_id,
       t.stack_id,
       :number::bigint AS inst_id
FROM profdepot.resource_profiler_objects t
WHERE t.inst_id = :inst_id::bigint AND t.stack_id IS NOT NULL
ORDER BY t.stack_first_id, t.id
