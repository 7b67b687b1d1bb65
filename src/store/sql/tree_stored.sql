-- The widest nodes of the stored tree, in preorder. $1 inst_id, $2 metric,
-- $3 how many.
SELECT t.node, t.parent, t.depth, t.routine_id, t.self, t.total, t.folded
FROM profdepot.call_tree t
WHERE t.inst_id = $1::bigint AND t.metric_no = $2::integer AND t.rank < $3::bigint
ORDER BY t.node
