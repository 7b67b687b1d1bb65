-- Objects that are groups, in one result set.
-- params: inst_id number
SELECT t.id,
       :number::bigint AS inst_id,
       t.block_count
FROM profdepot.resource_profiler_objects t
WHERE t.inst_id = :inst_id::bigint AND t.block_count <> 1
ORDER BY t.id
