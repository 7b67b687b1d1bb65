-- Metrics of one result set, except the predefined metrics of objects and errors.
-- params: inst_id number
SELECT :number::bigint AS inst_id,
       t.metric_no,
       t.name,
       t.family,
       t.unit,
       t.title,
       t.aggregate
FROM profdepot.metrics t
WHERE t.inst_id = :inst_id::bigint AND t.family NOT IN ('objects', 'errors')
ORDER BY t.metric_no
