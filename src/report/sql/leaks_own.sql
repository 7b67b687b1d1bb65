-- title: Leaks by first own frame
-- with: live chosen
-- facts: objects
-- params: inst_id thread excluded_objects class module routine min_count min_size own owner owner_files
-- order: count desc, size desc, own_module, own_class, own_routine, own_file, own_line
-- column: own_module text "Module"
-- column: own_class text "Class"
-- column: own_routine text "Routine"
-- column: own_file text "Source File"
-- column: own_line integer "Source Line"
-- column: count integer count "Objects" sum
-- column: size integer bytes "Size" sum
-- column: stacks integer count "Stacks"
-- column: owner text "Owner" owner
-- The own frame is the innermost frame whose module or class matches a glob given with --own. Without --own, it
-- is the first frame outside of system libraries. If all frames are in system libraries, it is the first frame
-- outside of allocators.
WITH by_stack AS (
    SELECT c.stack_id, sum(c.count)::bigint AS count, sum(c.size) AS size
    FROM chosen c GROUP BY c.stack_id
),
-- In a closed result set, the own frame of each stack is stored.
stored AS MATERIALIZED (
    SELECT :own::text[] IS NULL AND i.state = 'closed' AS own
    FROM profdepot.instances i
    WHERE i.inst_id = :inst_id::bigint
),
own AS MATERIALIZED (
    SELECT r.rec_id,
           CASE WHEN :own::text[] IS NULL
               THEN NOT profdepot.is_system_frame(r.col_module_name, r.col_class_name,
                                                  r.col_routine_name, r.col_source_file, r.col_unit_name)
               ELSE COALESCE(r.col_module_name, '') COLLATE "und-x-icu" ILIKE ANY (:own::text[])
                    OR regexp_replace(COALESCE(r.col_module_name, ''), '^.*[/\\]', '')
                       COLLATE "und-x-icu" ILIKE ANY (:own::text[])
                    OR COALESCE(r.col_class_name, '') COLLATE "und-x-icu" ILIKE ANY (:own::text[])
           END AS is_own,
           :own::text[] IS NULL AND NOT profdepot.is_allocator_frame(r.col_routine_name) AS is_second
    FROM profdepot.resource_profiler_meta_routines r
    WHERE r.inst_id = :inst_id::bigint AND NOT (SELECT t.own FROM stored t)
),
first_own AS (
    SELECT b.stack_id, s.own_place AS position
    FROM by_stack b
    JOIN profdepot.stacks s ON s.inst_id = :inst_id::bigint AND s.stack_id = b.stack_id
    WHERE (SELECT t.own FROM stored t) AND s.own_place IS NOT NULL
    UNION ALL
    SELECT f.stack_id,
           COALESCE(min(f.position) FILTER (WHERE o.is_own), min(f.position)) AS position
    FROM (SELECT s.stack_id, unnest(s.routine_ids) AS routine_id,
                 generate_subscripts(s.routine_ids, 1) AS position
          FROM by_stack b
          JOIN profdepot.stacks s ON s.inst_id = :inst_id::bigint AND s.stack_id = b.stack_id
          WHERE NOT (SELECT t.own FROM stored t)) f
    JOIN own o ON o.rec_id = f.routine_id AND (o.is_own OR o.is_second)
    GROUP BY f.stack_id
),
groups AS (
    SELECT s.routine_ids[w.position] AS routine_id, s.line_ids[w.position] AS line_id,
           CASE WHEN w.stack_id IS NOT NULL THEN NULL
                WHEN s.stack_id IS NULL OR cardinality(s.routine_ids) = 0 THEN '(stack unknown)'
                ELSE '(no own frame)' END AS bare,
           sum(b.count)::bigint AS count, sum(b.size) AS size, count(s.stack_id) AS stacks
    FROM by_stack b
    LEFT JOIN first_own w ON w.stack_id = b.stack_id
    LEFT JOIN profdepot.stacks s ON s.inst_id = :inst_id::bigint AND s.stack_id = b.stack_id
    GROUP BY 1, 2, 3
),
named AS (
    SELECT COALESCE(r.col_module_name, '') AS own_module,
           COALESCE(r.col_class_name, '') AS own_class,
           COALESCE(g.bare, r.col_routine_name, '') AS own_routine,
           COALESCE(r.col_source_file, '') AS own_file,
           COALESCE(l.col_source_line, r.col_source_line) AS own_line,
           sum(g.count)::bigint AS count, sum(g.size) AS size, sum(g.stacks)::bigint AS stacks
    FROM groups g
    LEFT JOIN profdepot.resource_profiler_meta_routines r
        ON r.inst_id = :inst_id::bigint AND r.rec_id = g.routine_id
    LEFT JOIN profdepot.resource_profiler_meta_lines l
        ON l.inst_id = :inst_id::bigint AND l.parent_id = r.id AND l.rec_id = g.line_id
    GROUP BY 1, 2, 3, 4, 5
)
SELECT n.own_module, n.own_class, n.own_routine, n.own_file, n.own_line, n.count, n.size, n.stacks, n.own_file AS owner
FROM named n
WHERE (:min_count::numeric IS NULL OR n.count >= :min_count::numeric)
  AND (:min_size::numeric IS NULL OR n.size >= :min_size::numeric)
