-- The stored tree in preorder. $1 inst_id, $2 metric.
SELECT t.node, t.parent, t.depth, t.routine_id, t.self, t.total, t.folded
FROM profdepot.call_tree t
WHERE t.inst_id = $1::bigint AND t.metric_no = $2::integer
ORDER BY t.node
