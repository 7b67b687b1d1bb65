-- What each stack has of a heap profile's metrics. $1 inst_id, $2 module, $3 routine.
measured AS (
    SELECT m.metric_no, m.name
    FROM profdepot.metrics m
    WHERE m.inst_id = $1::bigint AND m.family = 'samples'
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
    WHERE t.inst_id = $1::bigint
    GROUP BY t.stack_id
),
wholes AS (
    SELECT NULLIF(sum(e.peak_space), 0) AS peak_space, NULLIF(sum(e.temporary), 0) AS temporary
    FROM every_site e
),
sites AS (
    SELECT e.*
    FROM every_site e
    WHERE ($2::text[] IS NULL AND $3::text[] IS NULL)
       OR e.stack_id IN (
           SELECT s.stack_id FROM profdepot.stacks s
           WHERE s.inst_id = $1::bigint
             AND ($2::text[] IS NULL OR s.routine_ids && ARRAY(
                 SELECT r.rec_id FROM profdepot.resource_profiler_meta_routines r
                 WHERE r.inst_id = $1::bigint AND r.rec_id IS NOT NULL
                   AND (COALESCE(r.col_module_name, '') COLLATE "und-x-icu" ILIKE ANY ($2::text[])
                        OR regexp_replace(COALESCE(r.col_module_name, ''), '^.*[/\\]', '') COLLATE "und-x-icu" ILIKE ANY ($2::text[]))))
             AND ($3::text[] IS NULL OR s.routine_ids && ARRAY(
                 SELECT r.rec_id FROM profdepot.resource_profiler_meta_routines r
                 WHERE r.inst_id = $1::bigint AND r.rec_id IS NOT NULL
                   AND COALESCE(r.col_routine_name, '') COLLATE "und-x-icu" ILIKE ANY ($3::text[]))))
),
used AS (
    SELECT i.stack_id FROM sites i WHERE i.stack_id <> 0
)
