-- Live objects by leak kind and equal stack. $1 inst_id, $2 thread, $3 excluded objects,
-- $5 class, $6 module, $7 routine, $8 kind.
-- Most objects have no attributes: FILTER spares them a numeric state each, half of the time.
sums AS (
    SELECT o.leak_kind, o.stack_id, o.col_classrid, min(o.id) AS id,
           count(*) AS records, sum(o.block_count) AS count, COALESCE(sum(o.col_size), 0) AS size,
           sum(CASE WHEN json_typeof(o.attributes -> 'indirect_bytes') = 'number'
                   THEN (o.attributes ->> 'indirect_bytes')::numeric END)
               FILTER (WHERE o.attributes IS NOT NULL) AS indirect_size,
           sum(CASE WHEN json_typeof(o.attributes -> 'indirect_blocks') = 'number'
                   THEN (o.attributes ->> 'indirect_blocks')::numeric END)
               FILTER (WHERE o.attributes IS NOT NULL) AS indirect_count
    FROM profdepot.resource_profiler_objects o
    WHERE o.inst_id = $1::bigint
      AND ($2::text[] IS NULL
           OR o.col_threadid IN (
               SELECT CASE i.thread_key WHEN 'id' THEN t.id ELSE t.rec_id END
               FROM profdepot.instances i
               JOIN profdepot.resource_profiler_threads t ON t.inst_id = i.inst_id
               WHERE i.inst_id = $1::bigint
                 AND t.col_win32threadid::text ILIKE ANY ($2::text[])))
      AND ($3::bigint[] IS NULL OR o.id <> ALL ($3::bigint[]))
      AND ($8::text[] IS NULL OR COALESCE(o.leak_kind, '') ILIKE ANY ($8::text[]))
    GROUP BY o.leak_kind, o.stack_id, o.col_classrid
),
chosen AS (
    SELECT w.*, COALESCE(c.class_name, '') AS class, COALESCE(c.module_name, '') AS module, k.key
    FROM sums w
    LEFT JOIN profdepot.class_names c ON c.inst_id = $1::bigint AND c.rec_id = w.col_classrid
    LEFT JOIN (SELECT s.stack_id, s.line_identity AS key
               FROM profdepot.stack_keys s WHERE s.inst_id = $1::bigint) k
        ON k.stack_id = COALESCE(w.stack_id, 0)
    WHERE ($5::text[] IS NULL
           OR COALESCE(c.class_name, '') COLLATE "und-x-icu" ILIKE ANY ($5::text[]))
      AND ($6::text[] IS NULL
           OR COALESCE(c.module_name, '') COLLATE "und-x-icu" ILIKE ANY ($6::text[])
           OR regexp_replace(COALESCE(c.module_name, ''), '^.*[/\\]', '') COLLATE "und-x-icu" ILIKE ANY ($6::text[]))
      AND ($7::text[] IS NULL
           OR w.stack_id IN (
               SELECT s.stack_id FROM profdepot.stacks s
               WHERE s.inst_id = $1::bigint
                 AND s.routine_ids && ARRAY(
                     SELECT r.rec_id FROM profdepot.resource_profiler_meta_routines r
                     WHERE r.inst_id = $1::bigint AND r.rec_id IS NOT NULL
                       AND COALESCE(r.col_routine_name, '') COLLATE "und-x-icu"
                           ILIKE ANY ($7::text[]))))
),
groups AS (
    SELECT c.leak_kind AS kind, min(c.class) AS class, min(c.module) AS module,
           min(NULLIF(c.stack_id, 0)) AS stack_id, min(c.id) AS id,
           sum(c.records)::bigint AS records, sum(c.count)::bigint AS count, sum(c.size) AS size,
           sum(c.indirect_size) AS indirect_size, sum(c.indirect_count)::bigint AS indirect_count
    FROM chosen c
    GROUP BY c.leak_kind, c.key, CASE WHEN c.key IS NULL THEN c.col_classrid END
),
used AS (
    SELECT g.stack_id FROM groups g WHERE g.stack_id IS NOT NULL
)
