-- Updates statistics of the rows that a reindex wrote.
SELECT profdepot.analyze_relations(i.inst_id, '{metrics,stack_totals,call_tree_blocks,routine_totals}')
FROM profdepot.instances i
WHERE i.inst_id = :inst_id::bigint
