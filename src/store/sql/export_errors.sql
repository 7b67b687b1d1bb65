-- Errors of one result set by ID. $1: its number; $2: the number to write.
SELECT t.col__,
       t.col_description,
       t.col_error_code,
       t.col_kind,
       t.col_name,
       t.id,
       $2::bigint AS inst_id,
       t.parent_id,
       t.rec_id
FROM profdepot.resource_profiler_errors t
WHERE t.inst_id = $1::bigint
ORDER BY t.id
