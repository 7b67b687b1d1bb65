-- The sum of each metric per stack; stack 0 means no stack.
SELECT m.metric_no,
       t.stack_id,
       CASE m.name WHEN 'live_count' THEN t.count ELSE t.value END AS value
FROM profdepot.stack_totals t
JOIN profdepot.metrics m
    ON m.inst_id = t.inst_id AND m.family NOT IN ('spans', 'gauges')
   AND t.metric = CASE m.family WHEN 'objects' THEN 'live' ELSE m.name END
WHERE t.inst_id = :inst_id::bigint
