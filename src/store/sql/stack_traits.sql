-- Whether a result set has a call graph, and whether frames have lines of their own.
SELECT EXISTS (SELECT FROM profdepot.call_graph g WHERE g.inst_id = :inst_id::bigint),
       EXISTS (SELECT FROM profdepot.resource_profiler_meta_lines l WHERE l.inst_id = :inst_id::bigint)
