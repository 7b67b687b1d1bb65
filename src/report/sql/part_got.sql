-- Live objects summed by class, stack and leak kind: from the totals, or from the objects where a
-- thread ($2) or a Get Results ($6) is asked for, some are hidden ($7), or they have kinds. $1
-- inst_id.
how AS MATERIALIZED (
    SELECT $2::text[] IS NOT NULL OR $6::bigint IS NOT NULL OR $7::bigint[] IS NOT NULL
           OR COALESCE((SELECT o.leak_kind IS NOT NULL
                        FROM profdepot.resource_profiler_objects o
                        WHERE o.inst_id = $1::bigint ORDER BY o.id LIMIT 1), false) AS by_object
),
live AS (
    SELECT t.class, t.stack_id, NULL::text AS kind, t.count, t.size
    FROM profdepot.live_totals t
    WHERE t.inst_id = $1::bigint AND NOT (SELECT h.by_object FROM how h)
    UNION ALL
    SELECT COALESCE(o.col_classrid, -1), COALESCE(o.stack_id, 0), o.leak_kind,
           sum(o.block_count)::bigint, COALESCE(sum(o.col_size), 0)
    FROM profdepot.resource_profiler_objects o
    WHERE o.inst_id = $1::bigint AND (SELECT h.by_object FROM how h)
      AND ($7::bigint[] IS NULL OR o.id <> ALL ($7::bigint[]))
      AND ($6::bigint IS NULL OR o.col_get_ = $6::bigint)
      AND ($2::text[] IS NULL
           OR o.col_threadid IN (
               SELECT CASE i.thread_key WHEN 'id' THEN t.id ELSE t.rec_id END
               FROM profdepot.instances i
               JOIN profdepot.resource_profiler_threads t ON t.inst_id = $1::bigint
               WHERE i.inst_id = $1::bigint AND t.col_win32threadid::text ILIKE ANY ($2::text[])))
    GROUP BY 1, 2, 3
)
