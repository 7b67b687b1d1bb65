-- title: One side of a comparison: errors by name and stack
-- params: inst_id thread routine name hidden
-- column: class text "Class Name"
-- column: module text "Module Name"
-- column: kind text "Kind"
-- column: number integer "#"
-- column: description text "Description"
-- column: count integer count "Errors"
-- column: value integer count "Errors"
-- column: stack frames "Call Stack"
-- If a comparison treats several frames or classes as equal, it shows the names, files and lines of the first one.
-- Therefore the order of the rows matters.
SELECT NULL AS class, NULL AS module, g.name AS kind, NULL AS number, g.description,
       g.count, g.count AS value,
       (SELECT s.routine_ids::text || COALESCE(s.line_ids::text, '')
        FROM profdepot.stacks s
        WHERE s.inst_id = :inst_id::bigint AND s.stack_id = g.stack_id) AS stack
FROM (SELECT COALESCE(e.col_name, '') AS name, COALESCE(e.stack_id, 0) AS stack_id,
             min(e.col_description) AS description, sum(e.count)::bigint AS count
      FROM profdepot.resource_profiler_errors e
      WHERE e.inst_id = :inst_id::bigint
        AND (:hidden::bigint[] IS NULL OR e.id <> ALL (:hidden::bigint[]))
        AND (:thread::text[] IS NULL
             OR e.parent_id IN (
                 SELECT t.id FROM profdepot.resource_profiler_threads t
                 WHERE t.inst_id = :inst_id::bigint AND t.col_win32threadid::text ILIKE ANY (:thread::text[])))
        AND (:name::text[] IS NULL OR COALESCE(e.col_name, '') COLLATE "und-x-icu" ILIKE ANY (:name::text[]))
        AND (:routine::text[] IS NULL
             OR e.stack_id IN (
                 SELECT s.stack_id FROM profdepot.stacks s
                 WHERE s.inst_id = :inst_id::bigint
                   AND s.routine_ids && ARRAY(
                       SELECT r.rec_id FROM profdepot.resource_profiler_meta_routines r
                       WHERE r.inst_id = :inst_id::bigint AND r.rec_id IS NOT NULL
                         AND COALESCE(r.col_routine_name, '') COLLATE "und-x-icu"
                             ILIKE ANY (:routine::text[]))))
      GROUP BY 1, 2
      ORDER BY 2, 1) g
