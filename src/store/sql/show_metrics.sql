-- Metrics of a result set with the totals of their call trees. The default metric of the result set comes first.
-- A gauge has no total.
SELECT m.metric_no, m.name, m.family, m.unit, m.title, m.aggregate, t.totals[1] AS total
FROM profdepot.metrics m
LEFT JOIN profdepot.call_tree_blocks t ON t.inst_id = m.inst_id AND t.metric_no = m.metric_no AND t.first_rank = 0
WHERE m.inst_id = :inst_id::bigint
ORDER BY profdepot.metric_rank(m.family), m.metric_no
