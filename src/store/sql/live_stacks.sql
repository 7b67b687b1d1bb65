-- Stacks of an open result set. $1: its number.
SELECT int8send(s.stack_id::bigint) AS stack_id, s.routine_ids, s.line_ids
FROM profdepot.stacks s
WHERE s.inst_id = $1::bigint
