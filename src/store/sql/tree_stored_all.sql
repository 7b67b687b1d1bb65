-- The stored tree in preorder; the root's parent is -1.
-- params: inst_id metric_no
SELECT t.node, t.parent, t.depth, t.routine_id, t.self, t.total, COALESCE(t.folded, false)
FROM profdepot.call_tree_blocks b
CROSS JOIN LATERAL unnest(b.nodes, b.parents, b.depths, b.routine_ids, b.selfs, b.totals, b.folded)
    AS t (node, parent, depth, routine_id, self, total, folded)
WHERE b.inst_id = :inst_id::bigint AND b.metric_no = :metric_no::integer
ORDER BY t.node
