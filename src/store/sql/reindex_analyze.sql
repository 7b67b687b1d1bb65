-- Updates statistics of the rows that a reindex wrote.
SELECT profdepot.analyze_relations(:inst_id::bigint, '{metrics,stack_totals,call_tree_blocks,routine_totals}')
