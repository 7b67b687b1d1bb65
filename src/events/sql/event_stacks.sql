-- Stack frames in the result sets. stack_ids selects stacks; NULL means all.
SELECT s.inst_id, s.stack_id, s.routine_ids::bigint[] AS routine_ids
FROM profdepot.stacks s
WHERE s.inst_id = ANY (:inst_ids::bigint[])
  AND (:stack_ids::integer[] IS NULL OR s.stack_id = ANY (:stack_ids::integer[]))
