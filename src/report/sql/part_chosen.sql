-- The live objects of the classes and stacks that the request selects. There can be as many classes as
-- objects, so grouping the classes would take long. If no REC_ID is repeated, the names are read without grouping.
-- IDs are unique. So if each REC_ID equals its ID, no REC_ID is repeated, and they need not be counted. The same
-- holds if the loader found this. Otherwise the names are grouped by REC_ID, as in the view class_names.
repeated AS MATERIALIZED (
    SELECT NOT EXISTS (SELECT FROM profdepot.instances i
                       WHERE i.inst_id = :inst_id::bigint AND i.state = 'closed' AND i.live_distinct)
       AND EXISTS (SELECT FROM profdepot.resource_profiler_meta_classes_data m
                   WHERE m.inst_id = :inst_id::bigint AND m.rec_id IS DISTINCT FROM m.id)
       AND (SELECT count(*) <> count(DISTINCT m.rec_id)
            FROM profdepot.resource_profiler_meta_classes_data m
            WHERE m.inst_id = :inst_id::bigint) AS ids
),
classes AS (
    SELECT m.rec_id, m.col_class_name AS class_name, m.col_module_name AS module_name
    FROM profdepot.resource_profiler_meta_classes_data m
    WHERE m.inst_id = :inst_id::bigint AND NOT (SELECT r.ids FROM repeated r)
    UNION ALL
    SELECT m.rec_id, max(m.col_class_name), max(m.col_module_name)
    FROM profdepot.resource_profiler_meta_classes_data m
    WHERE m.inst_id = :inst_id::bigint AND (SELECT r.ids FROM repeated r)
    GROUP BY m.rec_id
    UNION ALL
    SELECT d.rec_id, max(d.col_class_name), max(d.col_module_name)
    FROM profdepot.resource_profiler_classes_data d
    WHERE d.inst_id = :inst_id::bigint
      AND NOT EXISTS (SELECT FROM profdepot.resource_profiler_meta_classes_data m
                      WHERE m.inst_id = :inst_id::bigint AND m.rec_id = d.rec_id)
    GROUP BY d.rec_id
),
chosen AS NOT MATERIALIZED (
    SELECT COALESCE(c.class_name, '') AS class_name, COALESCE(c.module_name, '') AS module_name,
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
      AND (:owner::text[] IS NULL
           OR l.stack_id IN (
               SELECT f.stack_id FROM profdepot.own_frames f
               WHERE f.inst_id = :inst_id::bigint AND f.source_file = ANY (:owner_files::text[])))
)
