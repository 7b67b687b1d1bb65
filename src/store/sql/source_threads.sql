-- Threads of one result set by ID. $1: its number; $2 is not used.
SELECT t.id,
       t.parent_id,
       t.rec_id,
       t.col_size,
       t.col_win32threadid,
       t.name
FROM profdepot.resource_profiler_threads t
WHERE t.inst_id = $1::bigint AND $2::bigint IS NOT NULL
ORDER BY t.id
