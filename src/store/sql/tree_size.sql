-- Nodes of the stored tree. $1 inst_id, $2 metric.
SELECT t.rank + 1
FROM profdepot.call_tree t
WHERE t.inst_id = $1::bigint AND t.metric_no = $2::integer
ORDER BY t.rank DESC
LIMIT 1
