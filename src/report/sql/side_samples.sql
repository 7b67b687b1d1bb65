-- title: One side of a comparison: samples by stack
-- params: inst_id metric routine
-- column: class text "Class Name"
-- column: module text "Module Name"
-- column: kind text "Kind"
-- column: number integer "#"
-- column: description text "Description"
-- column: count integer count "Samples"
-- column: value decimal "Value"
-- column: stack frames "Call Stack"
-- If a comparison treats several frames or classes as equal, it shows the names, files and lines of the first one.
-- Therefore the order of the rows matters.
SELECT NULL AS class, NULL AS module, NULL AS kind, NULL AS number, NULL AS description,
       g.count, g.value, s.routine_ids::text || COALESCE(s.line_ids::text, '') AS stack
FROM (SELECT t.stack_id, sum(t.count)::bigint AS count, sum(t.value) AS value
      FROM profdepot.sample_totals t
      JOIN profdepot.metrics m
          ON m.inst_id = :inst_id::bigint AND m.metric_no = t.metric_no AND m.name = :metric::text
      WHERE t.inst_id = :inst_id::bigint
        AND (:routine::text[] IS NULL
             OR t.stack_id IN (
                 SELECT s.stack_id FROM profdepot.stacks s
                 WHERE s.inst_id = :inst_id::bigint
                   AND s.routine_ids && ARRAY(
                       SELECT r.rec_id FROM profdepot.resource_profiler_meta_routines r
                       WHERE r.inst_id = :inst_id::bigint AND r.rec_id IS NOT NULL
                         AND COALESCE(r.col_routine_name, '') COLLATE "und-x-icu"
                             ILIKE ANY (:routine::text[]))))
      GROUP BY t.stack_id) g
LEFT JOIN profdepot.stacks s ON s.inst_id = :inst_id::bigint AND s.stack_id = g.stack_id
ORDER BY g.stack_id
