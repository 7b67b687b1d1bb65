-- A result set's stacks, for building its call tree.
SELECT s.stack_id, s.routine_ids
FROM profdepot.stacks s
WHERE s.inst_id = :inst_id::bigint
