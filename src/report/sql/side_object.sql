-- title: One side of a comparison: each object
-- with: got picked
-- params: inst_id thread class module routine get_number hidden
-- column: class text "Class Name"
-- column: module text "Module Name"
-- column: kind text "Kind"
-- column: number integer "#"
-- column: description text "Description"
-- column: count integer count "Objects"
-- column: value integer bytes "Size"
-- column: stack frames "Creation Call Stack"
-- column: unsized integer "Some Sizes Unknown"
-- If a comparison treats several frames or classes as equal, it shows the names, files and lines of the first one.
-- Therefore the order of the rows matters.
SELECT p.class_name AS class, p.module_name AS module, o.leak_kind AS kind, o.col__ AS number,
       NULL AS description, o.block_count AS count, o.col_size AS value,
       (SELECT s.routine_ids::text || COALESCE(s.line_ids::text, '')
        FROM profdepot.stacks s
        WHERE s.inst_id = :inst_id::bigint AND s.stack_id = o.stack_id) AS stack,
       (o.col_size IS NULL)::int AS unsized
FROM profdepot.resource_profiler_objects o
JOIN (SELECT DISTINCT x.class, x.class_name, x.module_name, x.stack_id FROM picked x) p
    ON p.class = COALESCE(o.col_classrid, -1) AND p.stack_id = COALESCE(o.stack_id, 0)
WHERE o.inst_id = :inst_id::bigint
  AND (:hidden::bigint[] IS NULL OR o.id <> ALL (:hidden::bigint[]))
  AND (:get_number::bigint IS NULL OR o.col_get_ = :get_number::bigint)
  AND (:thread::text[] IS NULL
       OR o.col_threadid IN (
           SELECT CASE i.thread_key WHEN 'id' THEN t.id ELSE t.rec_id END
           FROM profdepot.instances i
           JOIN profdepot.resource_profiler_threads t ON t.inst_id = :inst_id::bigint
           WHERE i.inst_id = :inst_id::bigint AND t.col_win32threadid::text ILIKE ANY (:thread::text[])))
ORDER BY o.id
