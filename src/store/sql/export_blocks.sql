-- Objects of one result set that stand for a group. $1: its number; $2: the number to write.
SELECT t.id,
       $2::bigint AS inst_id,
       t.block_count
FROM profdepot.resource_profiler_objects t
WHERE t.inst_id = $1::bigint AND t.block_count <> 1
ORDER BY t.id
