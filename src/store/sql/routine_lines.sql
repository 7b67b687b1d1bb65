-- The lines of a result set's routines. If the planner expects few lines, it looks up the routine of each line. This
-- reads more blocks than both relations have. The planner never does this for a full join.
SELECT r.rec_id, l.rec_id, l.col_source_line
FROM (SELECT t.parent_id, t.rec_id, t.col_source_line
      FROM profdepot.resource_profiler_meta_lines t
      WHERE t.inst_id = :inst_id::bigint AND t.rec_id IS NOT NULL) l
FULL JOIN (SELECT t.id, t.rec_id
           FROM profdepot.resource_profiler_meta_routines t
           WHERE t.inst_id = :inst_id::bigint AND t.rec_id IS NOT NULL) r ON r.id = l.parent_id
WHERE (l.rec_id IS NULL OR r.rec_id IS NULL) IS FALSE
