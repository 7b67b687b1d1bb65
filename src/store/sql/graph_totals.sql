-- Writes routine costs from the call graph, if there is one.
SELECT profdepot.total_call_graph(:inst_id::bigint)
