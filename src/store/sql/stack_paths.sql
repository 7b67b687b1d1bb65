-- Stacks by the routines of their innermost frames, and all stacks of one frame, in binary. Without routines: all stacks.
-- With `through_ids`: only stacks that contain one of these routines.
SELECT s.stack_id, s.routine_ids
FROM profdepot.stacks s
WHERE s.inst_id = :inst_id::bigint
  AND (:routine_ids::bigint[] IS NULL
       OR s.routine_ids[1] = ANY (:routine_ids::bigint[])
       OR cardinality(s.routine_ids) = 1)
  AND (:through_ids::bigint[] IS NULL OR s.routine_ids && :through_ids::bigint[])
