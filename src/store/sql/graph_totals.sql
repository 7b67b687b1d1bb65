-- What routines cost by the call graph, where there is one. $1: the result set.
SELECT profdepot.total_call_graph($1::bigint)
