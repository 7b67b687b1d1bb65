-- Frames of the stacks of the result sets. $2: only these; NULL: all.
SELECT s.inst_id, s.stack_id, s.routine_ids::bigint[] AS routine_ids
FROM profdepot.stacks s
WHERE s.inst_id = ANY ($1::bigint[])
  AND ($2::integer[] IS NULL OR s.stack_id = ANY ($2::integer[]))
