-- Live objects summed by class, stack and leak kind. The sums come from the objects if these have
-- leak kinds, or if the request names a thread, a Get Results number or objects to hide.
-- Otherwise they come from the totals.
how AS MATERIALIZED (
    SELECT :thread::text[] IS NOT NULL OR :get_number::bigint IS NOT NULL OR :hidden::bigint[] IS NOT NULL
           OR COALESCE((SELECT o.leak_kind IS NOT NULL
                        FROM profdepot.resource_profiler_objects o
                        WHERE o.inst_id = :inst_id::bigint ORDER BY o.id LIMIT 1), false) AS by_object
),
live AS (
    SELECT t.class, t.stack_id, NULL::text AS kind, t.count, t.size
    FROM profdepot.live_totals t
    WHERE t.inst_id = :inst_id::bigint AND NOT (SELECT h.by_object FROM how h)
    UNION ALL
    SELECT COALESCE(o.col_classrid, -1), COALESCE(o.stack_id, 0), o.leak_kind,
           sum(o.block_count)::bigint, sum(o.col_size)
    FROM profdepot.resource_profiler_objects o
    WHERE o.inst_id = :inst_id::bigint AND (SELECT h.by_object FROM how h)
      AND (:hidden::bigint[] IS NULL OR o.id <> ALL (:hidden::bigint[]))
      AND (:get_number::bigint IS NULL OR o.col_get_ = :get_number::bigint)
      AND (:thread::text[] IS NULL
           OR o.col_threadid IN (
               SELECT CASE i.thread_key WHEN 'id' THEN t.id ELSE t.rec_id END
               FROM profdepot.instances i
               JOIN profdepot.resource_profiler_threads t ON t.inst_id = :inst_id::bigint
               WHERE i.inst_id = :inst_id::bigint AND t.col_win32threadid::text ILIKE ANY (:thread::text[])))
    GROUP BY 1, 2, 3
)
