-- Live objects by class and stack. The sums come from the totals, or from the objects if the request names a
-- thread or excludes objects. If hardly any two objects have the same class and stack, the objects are not
-- summed, because a sum would cost more than it saves.
threads AS (
    SELECT DISTINCT ON (key) k.key, k.id, k.os_thread_id, k.size
    FROM (SELECT CASE i.thread_key WHEN 'id' THEN t.id ELSE t.rec_id END AS key,
                 t.id, t.col_win32threadid AS os_thread_id, t.col_size AS size
          FROM profdepot.instances i
          JOIN profdepot.resource_profiler_threads t ON t.inst_id = i.inst_id
          WHERE i.inst_id = :inst_id::bigint) k
    ORDER BY k.key, k.id
),
unsummed AS MATERIALIZED (
    SELECT i.state = 'closed' AND NOT i.live_summed AS whole
    FROM profdepot.instances i
    WHERE i.inst_id = :inst_id::bigint
),
live AS (
    SELECT t.class, t.stack_id, t.count, t.size
    FROM profdepot.live_totals t
    WHERE t.inst_id = :inst_id::bigint AND :thread::text[] IS NULL AND :excluded_objects::bigint[] IS NULL
      AND NOT (SELECT w.whole FROM unsummed w)
    UNION ALL
    SELECT COALESCE(o.col_classrid, -1), COALESCE(o.stack_id, 0), o.block_count, o.col_size
    FROM profdepot.resource_profiler_objects o
    WHERE o.inst_id = :inst_id::bigint AND :thread::text[] IS NULL AND :excluded_objects::bigint[] IS NULL
      AND (SELECT w.whole FROM unsummed w)
    UNION ALL
    SELECT COALESCE(o.col_classrid, -1), COALESCE(o.stack_id, 0),
           sum(o.block_count)::bigint, sum(o.col_size)
    FROM profdepot.resource_profiler_objects o
    WHERE o.inst_id = :inst_id::bigint AND (:thread::text[] IS NOT NULL OR :excluded_objects::bigint[] IS NOT NULL)
      AND (:thread::text[] IS NULL
           OR o.col_threadid IN (SELECT t.key FROM threads t
                                 WHERE t.os_thread_id::text ILIKE ANY (:thread::text[])))
      AND (:excluded_objects::bigint[] IS NULL OR o.id <> ALL (:excluded_objects::bigint[]))
    GROUP BY 1, 2
)
