-- title: Threads
-- with: live
-- params: inst_id thread excluded_objects min_count min_size
-- order: count desc, size desc, os_thread_id, id
-- column: os_thread_id integer "Thread"
-- column: count integer count "Objects" sum
-- column: size integer bytes "Size" sum
-- column: errors integer count "Errors" sum
-- column: memory integer bytes "Thread Size"
-- column: id integer "ID" machine
-- All threads. Objects and errors without a thread have a separate row.
WITH objects AS (
    SELECT t.id, sum(x.count)::bigint AS count, sum(x.size) AS size
    FROM (SELECT o.col_threadid, sum(o.block_count) AS count, sum(o.col_size) AS size
          FROM profdepot.resource_profiler_objects o
          WHERE o.inst_id = :inst_id::bigint
            AND (:excluded_objects::bigint[] IS NULL OR o.id <> ALL (:excluded_objects::bigint[])) GROUP BY o.col_threadid) x
    LEFT JOIN threads t ON t.key = x.col_threadid
    GROUP BY t.id
),
errors AS (
    SELECT t.id, sum(e.count)::bigint AS errors
    FROM profdepot.resource_profiler_errors e
    LEFT JOIN profdepot.resource_profiler_threads t
        ON t.inst_id = :inst_id::bigint AND t.id = e.parent_id
    WHERE e.inst_id = :inst_id::bigint GROUP BY t.id
),
known AS (
    -- A thread without objects has 0 objects only if the run looked for leaks. The same holds for errors.
    SELECT CASE WHEN EXISTS (SELECT FROM objects) OR c.leaks THEN 0 END AS objects,
           CASE WHEN EXISTS (SELECT FROM errors) OR c.errors THEN 0 END AS errors
    FROM (SELECT bool_or(w.degree IN ('sampled', 'full')) FILTER (WHERE w.what = 'leaks') AS leaks,
                 bool_or(w.degree IN ('sampled', 'full')) FILTER (WHERE w.what IN ('errors', 'races')) AS errors
          FROM profdepot.coverage w WHERE w.inst_id = :inst_id::bigint) c
),
every AS (
    SELECT x.id, x.col_win32threadid AS os_thread_id, x.col_size AS memory
    FROM profdepot.resource_profiler_threads x WHERE x.inst_id = :inst_id::bigint
    UNION ALL
    SELECT NULL, NULL, NULL
    WHERE EXISTS (SELECT FROM objects o WHERE o.id IS NULL)
       OR EXISTS (SELECT FROM errors e WHERE e.id IS NULL)
)
SELECT a.os_thread_id, COALESCE(o.count, k.objects) AS count, CASE WHEN o.count IS NULL THEN k.objects ELSE o.size END AS size,
       COALESCE(e.errors, k.errors) AS errors, a.memory, a.id
FROM every a
CROSS JOIN known k
LEFT JOIN objects o ON o.id IS NOT DISTINCT FROM a.id
LEFT JOIN errors e ON e.id IS NOT DISTINCT FROM a.id
WHERE (:thread::text[] IS NULL OR a.os_thread_id::text ILIKE ANY (:thread::text[]))
  AND (:min_count::numeric IS NULL OR COALESCE(o.count, 0) >= :min_count::numeric)
  AND (:min_size::numeric IS NULL OR COALESCE(o.size, 0) >= :min_size::numeric)
