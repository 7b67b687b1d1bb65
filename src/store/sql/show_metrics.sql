-- What a result set measures. $1: its number.
SELECT m.metric_no, m.name, m.family, m.unit, m.title
FROM profdepot.metrics m
WHERE m.inst_id = $1::bigint
ORDER BY m.metric_no
