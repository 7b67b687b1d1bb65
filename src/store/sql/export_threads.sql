-- Threads of one result set by ID. $1: its number; $2: the number to write.
SELECT t.col_size,
       t.col_win32threadid,
       t.id,
       $2::bigint AS inst_id,
       t.parent_id,
       t.rec_id
FROM profdepot.resource_profiler_threads t
WHERE t.inst_id = $1::bigint
ORDER BY t.id
