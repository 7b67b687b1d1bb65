-- Stacks of an open result set.
SELECT int8send(s.stack_id::bigint) AS stack_id, s.routine_ids, s.line_ids
FROM profdepot.stacks s
WHERE s.inst_id = :inst_id::bigint
