-- Updates statistics of rows that were written with SQL. Without current statistics, the joins of a
-- reindex took minutes for 2,500 stacks.
SELECT profdepot.analyze_relations(i.inst_id, '{stacks,resource_profiler_meta_routines,resource_profiler_meta_lines,resource_profiler_objects,resource_profiler_errors,sample_blocks,sample_rows,span_blocks,span_rows}')
FROM profdepot.instances i
WHERE i.inst_id = :inst_id::bigint
