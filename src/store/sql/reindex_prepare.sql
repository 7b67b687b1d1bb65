-- Statistics of what SQL wrote: without them a reindex's joins took minutes
-- over 2,500 stacks. $1: the result set.
SELECT profdepot.analyze_relations('{stacks,resource_profiler_meta_routines,resource_profiler_meta_lines,resource_profiler_objects,resource_profiler_errors,sample_blocks,sample_rows,span_blocks,span_rows}')
FROM profdepot.instances i
WHERE i.inst_id = $1::bigint AND i.state <> 'closed'
