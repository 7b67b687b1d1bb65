-- The live objects (see part_got.sql) of the classes, modules and routines that the request
-- selects.
names AS MATERIALIZED (
    SELECT c.rec_id, COALESCE(c.class_name, '') AS class_name,
           COALESCE(c.module_name, '') AS module_name
    FROM profdepot.class_names c WHERE c.inst_id = :inst_id::bigint
),
picked AS (
    SELECT l.class, COALESCE(n.class_name, '') AS class_name,
           COALESCE(n.module_name, '') AS module_name, l.stack_id, l.kind, l.count, l.size
    FROM live l
    LEFT JOIN names n ON n.rec_id = l.class
    WHERE (:class::text[] IS NULL
           OR COALESCE(n.class_name, '') COLLATE "und-x-icu" ILIKE ANY (:class::text[]))
      AND (:module::text[] IS NULL
           OR COALESCE(n.module_name, '') COLLATE "und-x-icu" ILIKE ANY (:module::text[])
           OR regexp_replace(COALESCE(n.module_name, ''), '^.*[/\\]', '') COLLATE "und-x-icu" ILIKE ANY (:module::text[]))
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
