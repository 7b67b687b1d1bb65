-- Metrics of a result set. $1: its number.
SELECT m.metric_no
FROM profdepot.metrics m
WHERE m.inst_id = $1::bigint
ORDER BY m.metric_no
