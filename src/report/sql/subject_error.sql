-- An error in words; no row if it does not exist.
SELECT concat_ws(': ', NULLIF(e.col_name, ''), NULLIF(e.col_description, ''))
FROM profdepot.resource_profiler_errors e
WHERE e.inst_id = :inst_id::bigint AND e.id = :id::bigint
