-- Metrics of one result set.
-- params: inst_id track
SELECT t.metric_no,
       t.family,
       t.name,
       t.unit,
       t.title,
       t.aggregate
FROM profdepot.metrics t
WHERE t.inst_id = :inst_id::bigint AND :track::bigint IS NOT NULL
ORDER BY t.metric_no
