-- Frames of one result set's errors by ID, where they do not run on. $1: its number; $2: the number
-- to write.
SELECT t.col_linerid,
       t.col_routinerid,
       t.id,
       $2::bigint AS inst_id,
       t.parent_id,
       t.rec_id
FROM profdepot.resource_profiler_call_stack t
WHERE t.inst_id = $1::bigint
ORDER BY t.id
