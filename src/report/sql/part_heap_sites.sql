-- The metrics of a heap profile, by stack.
measured AS (
    SELECT m.metric_no, m.name
    FROM profdepot.metrics m
    WHERE m.inst_id = :inst_id::bigint AND m.family = 'samples'
      AND m.name IN ('peak_space', 'peak_objects', 'max_space', 'temporary_objects', 'alloc_objects')
),
every_site AS MATERIALIZED (
    SELECT t.stack_id,
           COALESCE(sum(t.value) FILTER (WHERE m.name = 'peak_space'), 0) AS peak_space,
           sum(t.value) FILTER (WHERE m.name = 'peak_objects') AS peak_objects,
           sum(t.value) FILTER (WHERE m.name = 'max_space') AS max_space,
           COALESCE(sum(t.value) FILTER (WHERE m.name = 'temporary_objects'), 0) AS temporary,
           sum(t.value) FILTER (WHERE m.name = 'alloc_objects') AS allocations
    FROM profdepot.sample_totals t
    JOIN measured m ON m.metric_no = t.metric_no
    WHERE t.inst_id = :inst_id::bigint
    GROUP BY t.stack_id
),
wholes AS (
    SELECT NULLIF(sum(e.peak_space), 0) AS peak_space, NULLIF(sum(e.temporary), 0) AS temporary
    FROM every_site e
),
sites AS (
    SELECT e.*
    FROM every_site e
    WHERE (:module::text[] IS NULL AND :routine::text[] IS NULL)
       OR e.stack_id IN (
           SELECT s.stack_id FROM profdepot.stacks s
           WHERE s.inst_id = :inst_id::bigint
             AND (:module::text[] IS NULL OR s.routine_ids && ARRAY(
                 SELECT r.rec_id FROM profdepot.resource_profiler_meta_routines r
                 WHERE r.inst_id = :inst_id::bigint AND r.rec_id IS NOT NULL
                   AND (COALESCE(r.col_module_name, '') COLLATE "und-x-icu" ILIKE ANY (:module::text[])
                        OR regexp_replace(COALESCE(r.col_module_name, ''), '^.*[/\\]', '') COLLATE "und-x-icu" ILIKE ANY (:module::text[]))))
             AND (:routine::text[] IS NULL OR s.routine_ids && ARRAY(
                 SELECT r.rec_id FROM profdepot.resource_profiler_meta_routines r
                 WHERE r.inst_id = :inst_id::bigint AND r.rec_id IS NOT NULL
                   AND COALESCE(r.col_routine_name, '') COLLATE "und-x-icu" ILIKE ANY (:routine::text[]))))
),
used AS (
    SELECT i.stack_id FROM sites i WHERE i.stack_id <> 0
)
