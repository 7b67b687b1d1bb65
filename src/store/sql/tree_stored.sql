-- The widest nodes of the stored tree, in preorder. $1 inst_id, $2 metric,
-- $3 how many. Sorted as floating point, in half the time: rounding keeps a
-- parent before its children.
SELECT w.node, w.parent, w.depth, w.routine_id, w.self, w.total, w.folded
FROM (SELECT t.node, t.parent, t.depth, t.routine_id, t.self, t.total, t.folded
      FROM profdepot.call_tree t
      WHERE t.inst_id = $1::bigint AND t.metric_no = $2::integer
      ORDER BY abs(t.total::double precision) DESC, t.node
      LIMIT $3::bigint) w
ORDER BY w.node
