-- Errors of one result set by ID. $1: its number; $2 is not used.
SELECT t.id,
       t.parent_id,
       t.rec_id,
       t.col__,
       t.col_error_code,
       t.col_kind,
       t.col_description,
       t.col_name,
       t.stack_id,
       t.stack_first_id,
       t.count,
       t.attributes
FROM profdepot.resource_profiler_errors t
WHERE t.inst_id = $1::bigint AND $2::bigint IS NOT NULL
ORDER BY t.id
