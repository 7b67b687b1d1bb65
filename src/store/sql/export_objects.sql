-- Objects of one result set, sorted by ID.
-- params: inst_id number
SELECT t.col__,
       t.col_address,
       t.col_classrid,
       t.col_get_,
       t.col_size,
       t.col_threadid,
       t.id,
       :number::bigint AS inst_id,
       t.parent_id,
       t.rec_id
FROM profdepot.resource_profiler_objects t
WHERE t.inst_id = :inst_id::bigint
ORDER BY t.id
