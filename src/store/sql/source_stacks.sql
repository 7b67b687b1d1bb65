-- Stacks of one result set by number. $1: its number; $2 is not used.
SELECT t.stack_id,
       t.routine_ids,
       t.line_ids,
       t.hit_counts,
       t.frame_ids,
       t.rec_ids
FROM profdepot.stacks t
WHERE t.inst_id = $1::bigint AND $2::bigint IS NOT NULL
ORDER BY t.stack_id
