-- Metrics of one result set. $1: its number; $2 is not used.
SELECT t.metric_no,
       t.family,
       t.name,
       t.unit,
       t.title
FROM profdepot.metrics t
WHERE t.inst_id = $1::bigint AND $2::bigint IS NOT NULL
ORDER BY t.metric_no
