-- The lines of a result set's routines.
SELECT r.rec_id, l.rec_id, l.col_source_line
FROM profdepot.resource_profiler_meta_lines l
JOIN profdepot.resource_profiler_meta_routines r
  ON r.inst_id = :inst_id::bigint AND r.id = l.parent_id
WHERE l.inst_id = :inst_id::bigint AND l.rec_id IS NOT NULL AND r.rec_id IS NOT NULL
