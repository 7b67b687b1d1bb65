-- Lines of an open result set. $1: its number.
SELECT l.rec_id, l.parent_id, l.col_source_line, l.id
FROM profdepot.resource_profiler_meta_lines l
WHERE l.inst_id = $1::bigint
ORDER BY l.id
