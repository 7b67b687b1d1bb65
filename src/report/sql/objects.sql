-- title: Objects
-- facts: objects
-- params: inst_id thread class module routine min_size excluded_objects
-- order: id
-- column: number integer "#"
-- column: name text "Object Name"
-- column: class text "Class Name"
-- column: module text "Module Name"
-- column: address integer hex "Address"
-- column: get integer "Get #"
-- column: size integer bytes "Size" sum
-- column: os_thread_id integer "Thread"
-- column: count integer count "Objects" sum machine
-- column: id integer id "ID"
-- column: stack frames "Creation Call Stack"
-- Corresponds to AQTime's Objects panel. Count is 1, or the number of blocks if the row is a group.
WITH threads AS (
    SELECT CASE i.thread_key WHEN 'id' THEN t.id ELSE t.rec_id END AS key,
           min(t.col_win32threadid) AS os_thread_id
    FROM profdepot.instances i
    JOIN profdepot.resource_profiler_threads t ON t.inst_id = i.inst_id
    WHERE i.inst_id = :inst_id::bigint
    GROUP BY 1
),
routines AS (
    SELECT array_agg(r.rec_id) AS ids
    FROM profdepot.resource_profiler_meta_routines r
    WHERE r.inst_id = :inst_id::bigint AND r.rec_id IS NOT NULL AND :routine::text[] IS NOT NULL
      AND COALESCE(r.col_routine_name, '') COLLATE "und-x-icu" ILIKE ANY (:routine::text[])
)
SELECT o.col__ AS number,
       COALESCE(c.class_name, '') || COALESCE('.' || o.col__, '') AS name,
       COALESCE(c.class_name, '') AS class,
       COALESCE(c.module_name, '') AS module,
       o.col_address AS address,
       o.col_get_ AS get,
       o.col_size AS size,
       t.os_thread_id,
       o.block_count AS count,
       o.id,
       (SELECT s.routine_ids::text || COALESCE(s.line_ids::text, '')
        FROM profdepot.stacks s
        WHERE s.inst_id = :inst_id::bigint AND s.stack_id = o.stack_id) AS stack
FROM profdepot.resource_profiler_objects o
LEFT JOIN profdepot.class_names c ON c.inst_id = :inst_id::bigint AND c.rec_id = o.col_classrid
LEFT JOIN threads t ON t.key = o.col_threadid
WHERE o.inst_id = :inst_id::bigint
  AND (:thread::text[] IS NULL OR t.os_thread_id::text ILIKE ANY (:thread::text[]))
  AND (:class::text[] IS NULL
       OR COALESCE(c.class_name, '') COLLATE "und-x-icu" ILIKE ANY (:class::text[]))
  AND (:module::text[] IS NULL
       OR COALESCE(c.module_name, '') COLLATE "und-x-icu" ILIKE ANY (:module::text[])
       OR regexp_replace(COALESCE(c.module_name, ''), '^.*[/\\]', '') COLLATE "und-x-icu" ILIKE ANY (:module::text[]))
  AND (:routine::text[] IS NULL
       OR o.stack_id IN (SELECT s.stack_id FROM profdepot.stacks s
                         WHERE s.inst_id = :inst_id::bigint
                           AND s.routine_ids && (SELECT r.ids FROM routines r)))
  AND (:min_size::numeric IS NULL OR o.col_size >= :min_size::numeric)
  AND (:excluded_objects::bigint[] IS NULL OR o.id <> ALL (:excluded_objects::bigint[]))
