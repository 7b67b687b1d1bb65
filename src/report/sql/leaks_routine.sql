-- title: Leaks by innermost routine
-- with: live chosen
-- facts: objects
-- params: inst_id thread excluded_objects class module routine min_count min_size owner owner_files
-- order: count desc, size desc, routine_module, routine_class, routine
-- column: routine_module text "Module"
-- column: routine_class text "Class"
-- column: routine text "Routine"
-- column: count integer count "Objects" sum
-- column: size integer bytes "Size" sum
-- column: stacks integer count "Stacks"
-- Objects without a stack are under "(stack unknown)".
WITH groups AS (
    SELECT s.routine_ids[1] AS routine_id, s.stack_id IS NULL OR cardinality(s.routine_ids) = 0 AS bare,
           sum(c.count)::bigint AS count, sum(c.size) AS size, count(DISTINCT s.stack_id) AS stacks
    FROM chosen c
    LEFT JOIN profdepot.stacks s ON s.inst_id = :inst_id::bigint AND s.stack_id = c.stack_id
    GROUP BY 1, 2
),
named AS (
    SELECT COALESCE(r.col_module_name, '') AS routine_module,
           COALESCE(r.col_class_name, '') AS routine_class,
           CASE WHEN g.bare THEN '(stack unknown)' ELSE COALESCE(r.col_routine_name, '') END AS routine,
           sum(g.count)::bigint AS count, sum(g.size) AS size, sum(g.stacks)::bigint AS stacks
    FROM groups g
    LEFT JOIN profdepot.resource_profiler_meta_routines r
        ON r.inst_id = :inst_id::bigint AND r.rec_id = g.routine_id
    GROUP BY 1, 2, 3
)
SELECT n.routine_module, n.routine_class, n.routine, n.count, n.size, n.stacks
FROM named n
WHERE (:min_count::numeric IS NULL OR n.count >= :min_count::numeric)
  AND (:min_size::numeric IS NULL OR n.size >= :min_size::numeric)
