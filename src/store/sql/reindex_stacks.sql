-- Stacks of a result set for its call tree.
SELECT s.stack_id, s.routine_ids
FROM profdepot.stacks s
WHERE s.inst_id = :inst_id::bigint
