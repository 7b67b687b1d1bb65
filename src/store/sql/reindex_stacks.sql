-- Stacks of a result set for its call tree. $1: its number.
SELECT s.stack_id, s.routine_ids
FROM profdepot.stacks s
WHERE s.inst_id = $1::bigint
