-- title: Leaks by thread
-- with: live
-- facts: objects
-- params: inst_id thread excluded_objects class module min_count min_size owner owner_files
-- order: count desc, size desc, os_thread_id
-- column: os_thread_id integer "Thread"
-- column: count integer count "Objects" sum
-- column: size integer bytes "Size" sum
-- column: stacks integer count "Stacks"
-- This grouping is slower than the others, because it reads all objects.
SELECT g.os_thread_id, g.count, g.size, g.stacks
FROM (SELECT t.os_thread_id, sum(o.block_count)::bigint AS count,
             sum(o.col_size) AS size, count(DISTINCT o.stack_id) AS stacks
      FROM profdepot.resource_profiler_objects o
      LEFT JOIN threads t ON t.key = o.col_threadid
      LEFT JOIN profdepot.class_names c ON c.inst_id = :inst_id::bigint AND c.rec_id = o.col_classrid
      WHERE o.inst_id = :inst_id::bigint
        AND (:thread::text[] IS NULL OR t.os_thread_id::text ILIKE ANY (:thread::text[]))
        AND (:excluded_objects::bigint[] IS NULL OR o.id <> ALL (:excluded_objects::bigint[]))
        AND (:class::text[] IS NULL
             OR COALESCE(c.class_name, '') COLLATE "und-x-icu" ILIKE ANY (:class::text[]))
        AND (:module::text[] IS NULL
             OR COALESCE(c.module_name, '') COLLATE "und-x-icu" ILIKE ANY (:module::text[])
             OR regexp_replace(COALESCE(c.module_name, ''), '^.*[/\\]', '') COLLATE "und-x-icu" ILIKE ANY (:module::text[]))
        AND (:owner::text[] IS NULL
             OR o.stack_id IN (
                 SELECT f.stack_id FROM profdepot.own_frames f
                 WHERE f.inst_id = :inst_id::bigint AND f.source_file = ANY (:owner_files::text[])))
      GROUP BY t.os_thread_id) g
WHERE (:min_count::numeric IS NULL OR g.count >= :min_count::numeric)
  AND (:min_size::numeric IS NULL OR g.size >= :min_size::numeric)
