-- title: One side of a comparison: objects by class and stack
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
SELECT g.class_name AS class, g.module_name AS module, g.kind, NULL AS number,
       NULL AS description, g.count, g.value,
       (SELECT s.routine_ids::text || COALESCE(s.line_ids::text, '')
        FROM profdepot.stacks s
        WHERE s.inst_id = :inst_id::bigint AND s.stack_id = g.stack_id) AS stack,
       g.unsized::int AS unsized
FROM (SELECT p.class_name, p.module_name, p.stack_id, p.kind, sum(p.count)::bigint AS count,
             sum(p.size) AS value,
             bool_or((p.class, p.stack_id, COALESCE(p.kind, '')) IN (
                 SELECT COALESCE(o.col_classrid, -1), COALESCE(o.stack_id, 0), COALESCE(o.leak_kind, '')
                 FROM profdepot.resource_profiler_objects o
                 WHERE o.inst_id = :inst_id::bigint AND o.col_size IS NULL)) AS unsized
      FROM picked p GROUP BY p.class_name, p.module_name, p.stack_id, p.kind
      ORDER BY p.stack_id, p.class_name, p.module_name, p.kind) g
