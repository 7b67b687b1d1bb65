-- Stacks of one result set, for unfolding.
SELECT s.stack_id,
       s.routine_ids,
       s.line_ids,
       s.hit_counts,
       s.rec_ids
FROM profdepot.stacks s
WHERE s.inst_id = :inst_id::bigint
ORDER BY s.stack_id
