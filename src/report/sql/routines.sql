-- title: Routines
-- with: live
-- params: inst_id thread excluded_objects class module routine min_count min_size
-- order: count desc, size desc, module, class, routine
-- column: module text "Module Name"
-- column: class text "Class Name"
-- column: routine text "Routine Name"
-- column: count integer count "Objects"
-- column: size integer bytes "Size"
-- column: self_count integer count "Self Objects" sum
-- column: self_size integer bytes "Self Size" sum
-- column: file text "Source File"
-- column: line integer "Source Line"
-- Counts the objects with the routine anywhere in their stack. Self counts the objects with the routine as the
-- innermost frame. A routine that recurs in a stack counts once per object, even if it recurs under another
-- REC_ID with the same names.
WITH by_stack AS MATERIALIZED ( -- no GROUP BY stack: with it, the planner would expect only 200 rows
    SELECT l.class, l.stack_id, l.count, l.size FROM live l
),
-- Takes only the first frame of each REC_ID in each stack. This avoids a DISTINCT over all frames.
by_id AS MATERIALIZED (
    SELECT COALESCE(f.routine_id, -9223372036854775808) AS routine_id,
           sum(f.count) AS count, sum(f.size) AS size
    FROM (SELECT unnest(s.routine_ids) AS routine_id,
                 generate_subscripts(s.routine_ids, 1) AS position,
                 s.routine_ids, b.count, b.size
          FROM by_stack b
          JOIN profdepot.stacks s ON s.inst_id = :inst_id::bigint AND s.stack_id = b.stack_id) f
    WHERE array_position(f.routine_ids, f.routine_id) = f.position
    GROUP BY f.routine_id
),
innermost AS (
    SELECT COALESCE(s.routine_ids[1], -9223372036854775808) AS routine_id,
           sum(b.count) AS count, sum(b.size) AS size
    FROM by_stack b
    JOIN profdepot.stacks s ON s.inst_id = :inst_id::bigint AND s.stack_id = b.stack_id
    WHERE cardinality(s.routine_ids) > 0
    GROUP BY s.routine_ids[1]
),
named AS MATERIALIZED (
    SELECT r.*,
           dense_rank() OVER (ORDER BY r.module, r.class, r.routine) AS routine_no,
           count(*) OVER (PARTITION BY r.module, r.class, r.routine) AS same
    FROM (SELECT i.*, COALESCE(e.count, 0) AS self_count, COALESCE(e.size, 0 * i.size) AS self_size,
                 COALESCE(m.col_module_name, '') AS module,
                 COALESCE(m.col_class_name, '') AS class,
                 COALESCE(m.col_routine_name, '') AS routine,
                 COALESCE(m.col_source_file, '') AS file, m.col_source_line AS line
          FROM by_id i
          LEFT JOIN innermost e ON e.routine_id = i.routine_id
          LEFT JOIN (SELECT DISTINCT ON (x.rec_id) x.*
                     FROM profdepot.resource_profiler_meta_routines x
                     WHERE x.inst_id = :inst_id::bigint ORDER BY x.rec_id, x.id) m
              ON m.rec_id = i.routine_id) r
),
-- Several REC_IDs can have the same names. A stack that contains several of them must count only once.
shared AS (
    SELECT d.routine_no, sum(d.count) AS count, sum(d.size) AS size
    FROM (SELECT DISTINCT f.class, f.stack_id, n.routine_no, f.count, f.size
          FROM (SELECT b.class, s.stack_id, b.count, b.size, unnest(s.routine_ids) AS routine_id
                FROM by_stack b
                JOIN profdepot.stacks s ON s.inst_id = :inst_id::bigint AND s.stack_id = b.stack_id
                WHERE (SELECT max(n.same) FROM named n) > 1) f
          JOIN named n ON n.routine_id = COALESCE(f.routine_id, -9223372036854775808)
              AND n.same > 1) d
    GROUP BY d.routine_no
)
SELECT n.module, n.class, n.routine, COALESCE(s.count, n.count) AS count,
       COALESCE(s.size, n.size) AS size, n.self_count, n.self_size, n.file, n.line
FROM (SELECT x.routine_no, min(x.module) AS module, min(x.class) AS class,
             min(x.routine) AS routine, min(x.file) AS file, min(x.line) AS line,
             min(x.count) AS count, min(x.size) AS size,
             sum(x.self_count) AS self_count, sum(x.self_size) AS self_size
      FROM named x GROUP BY x.routine_no) n
LEFT JOIN shared s ON s.routine_no = n.routine_no
WHERE (:class::text[] IS NULL OR n.class COLLATE "und-x-icu" ILIKE ANY (:class::text[]))
  AND (:module::text[] IS NULL OR n.module COLLATE "und-x-icu" ILIKE ANY (:module::text[])
       OR regexp_replace(n.module, '^.*[/\\]', '') COLLATE "und-x-icu" ILIKE ANY (:module::text[]))
  AND (:routine::text[] IS NULL OR n.routine COLLATE "und-x-icu" ILIKE ANY (:routine::text[]))
  AND (:min_count::numeric IS NULL OR COALESCE(s.count, n.count) >= :min_count::numeric)
  AND (:min_size::numeric IS NULL OR COALESCE(s.size, n.size) >= :min_size::numeric)
