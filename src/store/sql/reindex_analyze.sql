-- Updates statistics of the rows that a reindex wrote.
SELECT profdepot.analyze_relations('{metrics,stack_totals,call_tree_blocks,routine_totals,result_set_counts}')
