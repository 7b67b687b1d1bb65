-- Lines of one result set by ID. $1: its number; $2 is not used.
SELECT t.id,
       t.rec_id,
       t.col_source_line,
       t.parent_id
FROM profdepot.resource_profiler_meta_lines t
WHERE t.inst_id = $1::bigint AND $2::bigint IS NOT NULL
ORDER BY t.id
