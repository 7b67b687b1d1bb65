-- Stacks of one result set, sorted by number.
-- params: inst_id track
SELECT t.stack_id,
       t.routine_ids,
       t.line_ids,
       t.hit_counts,
       t.frame_ids,
       t.rec_ids
FROM profdepot.stacks t
WHERE t.inst_id = :inst_id::bigint AND :track::bigint IS NOT NULL
ORDER BY t.stack_id
