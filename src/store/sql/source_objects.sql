-- Objects of one result set by ID. $1: its number; $2 is not used.
SELECT t.id,
       t.parent_id,
       t.rec_id,
       t.col__,
       t.col_address,
       t.col_size,
       t.col_classrid,
       t.col_get_,
       t.col_threadid,
       t.block_count,
       t.stack_id,
       t.stack_first_id,
       t.leak_kind,
       t.attributes
FROM profdepot.resource_profiler_objects t
WHERE t.inst_id = $1::bigint AND $2::bigint IS NOT NULL
ORDER BY t.id
