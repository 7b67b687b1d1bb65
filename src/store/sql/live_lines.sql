-- Lines of an open result set.
SELECT l.rec_id, l.parent_id, l.col_source_line, l.id
FROM profdepot.resource_profiler_meta_lines l
WHERE l.inst_id = :inst_id::bigint
ORDER BY l.id
