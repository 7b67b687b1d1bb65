-- Metrics of a result set, its default metric first.
SELECT m.metric_no, m.name, m.family, m.unit, m.title, m.aggregate
FROM profdepot.metrics m
WHERE m.inst_id = :inst_id::bigint
ORDER BY profdepot.metric_rank(m.family), m.metric_no
