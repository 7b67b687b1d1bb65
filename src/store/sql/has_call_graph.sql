-- Whether a result set has a call graph.
SELECT EXISTS (SELECT FROM profdepot.call_graph g WHERE g.inst_id = :inst_id::bigint)
