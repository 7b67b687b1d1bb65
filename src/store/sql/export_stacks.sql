-- Stacks of one result set, for unfolding. $1: its number.
SELECT s.stack_id,
       s.routine_ids,
       s.line_ids,
       s.hit_counts,
       s.rec_ids
FROM profdepot.stacks s
WHERE s.inst_id = $1::bigint
ORDER BY s.stack_id
