-- Stacks of one result set that samples, spans or further stacks refer to.
-- params: inst_id number
SELECT :number::bigint AS inst_id,
       t.stack_id,
       t.routine_ids,
       t.line_ids,
       t.hit_counts,
       t.frame_ids,
       t.rec_ids
FROM profdepot.stacks t
WHERE t.inst_id = :inst_id::bigint
  AND t.stack_id IN (
      SELECT f.stack_id FROM profdepot.further_stacks f WHERE f.inst_id = :inst_id::bigint
      UNION SELECT s.stack_id FROM profdepot.sample_rows s WHERE s.inst_id = :inst_id::bigint
      UNION SELECT s.stack_id FROM profdepot.span_rows s WHERE s.inst_id = :inst_id::bigint
      UNION SELECT unnest(b.stack_ids) FROM profdepot.sample_blocks b WHERE b.inst_id = :inst_id::bigint)
ORDER BY t.stack_id
