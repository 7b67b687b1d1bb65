-- Nodes of the stored tree. $1 inst_id, $2 metric.
SELECT b.first_rank + cardinality(b.nodes)
FROM profdepot.call_tree_blocks b
WHERE b.inst_id = $1::bigint AND b.metric_no = $2::integer
ORDER BY b.first_rank DESC
LIMIT 1
