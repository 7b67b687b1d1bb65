-- title: Modules
-- with: live
-- params: inst_id thread excluded_objects module min_count min_size
-- order: count desc, size desc, module
-- column: module text "Module Name"
-- column: count integer count "Objects"
-- column: size integer bytes "Size"
-- column: self_count integer count "Self Objects" sum
-- column: self_size integer bytes "Self Size" sum
-- Counts the objects with a routine of the module anywhere in their stack. Self counts the objects whose
-- innermost routine belongs to the module. A module counts once per object.
WITH by_stack AS MATERIALIZED ( -- no sum by stack, because the planner would then expect only 200 rows
    SELECT l.class, l.stack_id, l.count, l.size FROM live l
),
routines AS MATERIALIZED (
    SELECT DISTINCT ON (r.rec_id) r.rec_id, COALESCE(r.col_module_name, '') AS module
    FROM profdepot.resource_profiler_meta_routines r
    WHERE r.inst_id = :inst_id::bigint
      AND EXISTS (SELECT FROM by_stack b) -- without objects, the names are not needed
    ORDER BY r.rec_id, r.id
),
modules AS MATERIALIZED (
    SELECT m.module, row_number() OVER () AS module_no
    FROM (SELECT r.module FROM routines r UNION SELECT '') m
),
numbers AS MATERIALIZED (
    SELECT r.rec_id, m.module_no FROM routines r JOIN modules m ON m.module = r.module
),
frames AS (
    -- not GROUP BY, because the planner would expect few groups and hash them in memory that is too small
    SELECT DISTINCT ON (d.stack_id, d.module_no) d.module_no, d.stack_id, d.position
    FROM (SELECT COALESCE(n.module_no, (SELECT m.module_no FROM modules m WHERE m.module = ''))
                     AS module_no, f.stack_id, f.position
          FROM (SELECT s.stack_id, unnest(s.routine_ids) AS routine_id,
                       generate_subscripts(s.routine_ids, 1) AS position
                FROM profdepot.stacks s
                WHERE s.inst_id = :inst_id::bigint
                  AND s.stack_id IN (SELECT b.stack_id FROM by_stack b)) f
          LEFT JOIN numbers n ON n.rec_id = f.routine_id) d
    ORDER BY d.stack_id, d.module_no, d.position
),
totals AS (
    SELECT f.module_no, sum(b.count) AS count, sum(b.size) AS size,
           COALESCE(sum(b.count) FILTER (WHERE f.position = 1), 0) AS self_count,
           COALESCE(sum(b.size) FILTER (WHERE f.position = 1), 0 * sum(b.size)) AS self_size
    FROM frames f JOIN by_stack b ON b.stack_id = f.stack_id
    GROUP BY f.module_no
)
SELECT m.module, t.count, t.size, t.self_count, t.self_size
FROM totals t JOIN modules m ON m.module_no = t.module_no
WHERE (:module::text[] IS NULL OR m.module COLLATE "und-x-icu" ILIKE ANY (:module::text[])
     OR regexp_replace(m.module, '^.*[/\\]', '') COLLATE "und-x-icu" ILIKE ANY (:module::text[]))
  AND (:min_count::numeric IS NULL OR t.count >= :min_count::numeric)
  AND (:min_size::numeric IS NULL OR t.size >= :min_size::numeric)
