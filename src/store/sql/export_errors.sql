-- Errors of one result set, sorted by ID.
-- params: inst_id number
SELECT t.col__,
       t.col_description,
       t.col_error_code,
       t.col_kind,
       t.col_name,
       t.id,
       :number::bigint AS inst_id,
       t.parent_id,
       t.rec_id
FROM profdepot.resource_profiler_errors t
WHERE t.inst_id = :inst_id::bigint
ORDER BY t.id
