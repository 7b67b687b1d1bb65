-- title: Call stack
-- params: inst_id object error
-- column: position integer "#"
-- column: class text "Class Name"
-- column: module text "Module Name"
-- column: routine text "Routine Name"
-- column: file text "Source File"
-- column: line integer "Source Line"
-- column: unit text "Unit Name"
-- column: hit_count integer count "Hit Count"
-- The stack of one object or one error. Corresponds to AQTime's Details panel.
WITH owner AS (
    SELECT o.stack_id FROM profdepot.resource_profiler_objects o
    WHERE o.inst_id = :inst_id::bigint AND o.id = :object::bigint
    UNION ALL
    SELECT e.stack_id FROM profdepot.resource_profiler_errors e
    WHERE e.inst_id = :inst_id::bigint AND e.id = :error::bigint
)
SELECT f.position, COALESCE(f.class_name, '') AS class, COALESCE(f.module_name, '') AS module,
       COALESCE(f.routine_name, '') AS routine, COALESCE(f.source_file, '') AS file,
       f.source_line AS line, COALESCE(f.unit_name, '') AS unit,
       s.hit_counts[f.position + 1] AS hit_count
FROM owner w
JOIN profdepot.stacks s ON s.inst_id = :inst_id::bigint AND s.stack_id = w.stack_id
JOIN profdepot.stack_frames f ON f.inst_id = :inst_id::bigint AND f.stack_id = w.stack_id
ORDER BY f.position
