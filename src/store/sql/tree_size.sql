-- The number of nodes in the stored tree.
-- params: inst_id metric_no
SELECT b.first_rank + cardinality(b.nodes)
FROM profdepot.call_tree_blocks b
WHERE b.inst_id = :inst_id::bigint AND b.metric_no = :metric_no::integer
ORDER BY b.first_rank DESC
LIMIT 1
