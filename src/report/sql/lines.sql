-- title: Source lines
-- with: live
-- params: inst_id thread excluded_objects class module routine min_count min_size
-- order: count desc, size desc, module, class, routine, file, line
-- column: module text "Module Name"
-- column: class text "Class Name"
-- column: routine text "Routine Name"
-- column: file text "Source File"
-- column: line integer "Source Line"
-- column: count integer count "Objects"
-- column: size integer bytes "Size"
-- column: self_count integer count "Self Objects" sum
-- column: self_size integer bytes "Self Size" sum
-- Objects by routine and line: the call line if the export has one, or else the first line of the routine. A
-- line counts once per object.
WITH by_stack AS MATERIALIZED ( -- no sum by stack, because the planner would then expect only 200 rows
    SELECT l.class, l.stack_id, l.count, l.size FROM live l
),
routines AS MATERIALIZED (
    SELECT DISTINCT ON (r.rec_id) r.rec_id, r.id, COALESCE(r.col_module_name, '') AS module,
           COALESCE(r.col_class_name, '') AS class, COALESCE(r.col_routine_name, '') AS routine,
           COALESCE(r.col_source_file, '') AS file, r.col_source_line AS line
    FROM profdepot.resource_profiler_meta_routines r
    WHERE r.inst_id = :inst_id::bigint AND r.rec_id IS NOT NULL
      AND EXISTS (SELECT FROM by_stack b) -- without objects, the names are not needed
    ORDER BY r.rec_id, r.id
),
-- Assigns a number to every line that a frame can show: a call line, a routine without a call line (line_id
-- NULL), or an unknown routine (both NULL).
named AS MATERIALIZED (
    SELECT p.*, dense_rank() OVER (ORDER BY p.module, p.class, p.routine, p.file, p.line) AS line_no
    FROM (SELECT r.rec_id AS routine_id, NULL::bigint AS line_id,
                 r.module, r.class, r.routine, r.file, r.line
          FROM routines r
          UNION ALL
          SELECT r.rec_id, l.rec_id, r.module, r.class, r.routine, r.file,
                 COALESCE(l.col_source_line, r.line)
          FROM routines r
          JOIN (SELECT DISTINCT ON (x.parent_id, x.rec_id) x.*
                FROM profdepot.resource_profiler_meta_lines x
                WHERE x.inst_id = :inst_id::bigint AND x.rec_id IS NOT NULL
                ORDER BY x.parent_id, x.rec_id, x.id) l ON l.parent_id = r.id
          UNION ALL
          SELECT NULL, NULL, '', '', '', '', NULL) p
),
-- A single key made of stack and line is hashed faster than two columns. The stack is multiplied, not shifted:
-- PostgreSQL's hash combines the upper and lower halves of a bigint, so the hashes of shifted keys would often
-- be equal.
once AS (
    SELECT k.key / k.lines AS stack_id, k.key % k.lines AS line_no, k.position
    FROM (SELECT (SELECT max(n.line_no) + 1 FROM named n) AS lines,
                 f.stack_id::bigint * (SELECT max(n.line_no) + 1 FROM named n)
                 + COALESCE(c.line_no, o.line_no,
                            (SELECT n.line_no FROM named n WHERE n.routine_id IS NULL)) AS key,
                 min(f.position) AS position
          FROM (SELECT s.stack_id, unnest(s.routine_ids) AS routine_id,
                       unnest(s.line_ids) AS line_id,
                       generate_subscripts(s.routine_ids, 1) AS position
                FROM profdepot.stacks s
                WHERE s.inst_id = :inst_id::bigint
                  AND s.stack_id IN (SELECT b.stack_id FROM by_stack b)) f
          LEFT JOIN (SELECT n.* FROM named n WHERE n.line_id IS NOT NULL) c
              ON c.routine_id = f.routine_id AND c.line_id = f.line_id
          LEFT JOIN (SELECT n.* FROM named n WHERE n.line_id IS NULL) o
              ON o.routine_id = f.routine_id
          GROUP BY 2) k
),
totals AS (
    SELECT o.line_no, sum(b.count) AS count, sum(b.size) AS size,
           COALESCE(sum(b.count) FILTER (WHERE o.position = 1), 0) AS self_count,
           COALESCE(sum(b.size) FILTER (WHERE o.position = 1), 0 * sum(b.size)) AS self_size
    FROM once o JOIN by_stack b ON b.stack_id = o.stack_id
    GROUP BY o.line_no
)
SELECT n.module, n.class, n.routine, n.file, n.line, t.count, t.size, t.self_count, t.self_size
FROM totals t
JOIN (SELECT DISTINCT x.line_no, x.module, x.class, x.routine, x.file, x.line FROM named x) n
    ON n.line_no = t.line_no
WHERE (:class::text[] IS NULL OR n.class COLLATE "und-x-icu" ILIKE ANY (:class::text[]))
  AND (:module::text[] IS NULL OR n.module COLLATE "und-x-icu" ILIKE ANY (:module::text[])
       OR regexp_replace(n.module, '^.*[/\\]', '') COLLATE "und-x-icu" ILIKE ANY (:module::text[]))
  AND (:routine::text[] IS NULL OR n.routine COLLATE "und-x-icu" ILIKE ANY (:routine::text[]))
  AND (:min_count::numeric IS NULL OR t.count >= :min_count::numeric)
  AND (:min_size::numeric IS NULL OR t.size >= :min_size::numeric)
