-- Metrics of a result set.
SELECT m.metric_no, m.name, m.family, m.unit, m.title, m.aggregate
FROM profdepot.metrics m
WHERE m.inst_id = :inst_id::bigint
ORDER BY m.metric_no
