-- Live objects summed by class and stack: from the totals, or from the objects
-- where a thread is asked for ($2) or objects are left out ($3). $1 inst_id.
threads AS (
    SELECT DISTINCT ON (key) k.key, k.id, k.os_thread_id, k.size
    FROM (SELECT CASE i.thread_key WHEN 'id' THEN t.id ELSE t.rec_id END AS key,
                 t.id, t.col_win32threadid AS os_thread_id, t.col_size AS size
          FROM profdepot.instances i
          JOIN profdepot.resource_profiler_threads t ON t.inst_id = i.inst_id
          WHERE i.inst_id = $1::bigint) k
    ORDER BY k.key, k.id
),
live AS (
    SELECT t.class, t.stack_id, t.count, t.size
    FROM profdepot.live_totals t
    WHERE t.inst_id = $1::bigint AND $2::text[] IS NULL AND $3::bigint[] IS NULL
    UNION ALL
    SELECT COALESCE(o.col_classrid, -1), COALESCE(o.stack_id, 0),
           sum(o.block_count)::bigint, COALESCE(sum(o.col_size), 0)
    FROM profdepot.resource_profiler_objects o
    WHERE o.inst_id = $1::bigint AND ($2::text[] IS NOT NULL OR $3::bigint[] IS NOT NULL)
      AND ($2::text[] IS NULL
           OR o.col_threadid IN (SELECT t.key FROM threads t
                                 WHERE t.os_thread_id::text ILIKE ANY ($2::text[])))
      AND ($3::bigint[] IS NULL OR o.id <> ALL ($3::bigint[]))
    GROUP BY 1, 2
)
