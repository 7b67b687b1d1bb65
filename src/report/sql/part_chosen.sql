-- The live objects of the classes and stacks that the request selects. class_no is a number for the
-- names of a class and its module, because several REC_IDs may share these names.
classes AS MATERIALIZED (
    SELECT n.rec_id, n.class_name, n.module_name,
           dense_rank() OVER (ORDER BY n.class_name, n.module_name) AS class_no
    FROM (SELECT c.rec_id, COALESCE(c.class_name, '') AS class_name,
                 COALESCE(c.module_name, '') AS module_name
          FROM profdepot.class_names c WHERE c.inst_id = :inst_id::bigint
          UNION ALL
          SELECT NULL, '', '') n -- objects without a class, or whose class is missing
),
class_texts AS MATERIALIZED (
    SELECT DISTINCT c.class_no, c.class_name, c.module_name FROM classes c
),
chosen AS (
    SELECT COALESCE(c.class_no, (SELECT n.class_no FROM classes n
                                 WHERE n.rec_id IS NULL)) AS class_no,
           l.stack_id, l.count, l.size
    FROM live l
    LEFT JOIN classes c ON c.rec_id = l.class
    WHERE (:class::text[] IS NULL
           OR COALESCE(c.class_name, '') COLLATE "und-x-icu" ILIKE ANY (:class::text[]))
      AND (:module::text[] IS NULL
           OR COALESCE(c.module_name, '') COLLATE "und-x-icu" ILIKE ANY (:module::text[])
           OR regexp_replace(COALESCE(c.module_name, ''), '^.*[/\\]', '') COLLATE "und-x-icu" ILIKE ANY (:module::text[]))
      AND (:routine::text[] IS NULL
           OR l.stack_id IN (
               SELECT s.stack_id FROM profdepot.stacks s
               WHERE s.inst_id = :inst_id::bigint
                 AND s.routine_ids && ARRAY(
                     SELECT r.rec_id FROM profdepot.resource_profiler_meta_routines r
                     WHERE r.inst_id = :inst_id::bigint AND r.rec_id IS NOT NULL
                       AND COALESCE(r.col_routine_name, '') COLLATE "und-x-icu"
                           ILIKE ANY (:routine::text[]))))
)
