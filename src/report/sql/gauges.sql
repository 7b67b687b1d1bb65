-- title: Gauges
-- facts: gauges
-- params: inst_id
-- column: metric text "Metric"
-- column: title text "Title"
-- column: unit text "Unit"
-- column: points integer count "Samples"
-- column: maximum decimal "Maximum" row_unit
-- column: last decimal "Last" row_unit
-- column: mean decimal "Mean" row_unit
-- Memory and other quantities over time. Their values are never added up.
SELECT m.name AS metric, m.title, m.unit, count(*) AS points, max(g.value) AS maximum,
       (array_agg(g.value ORDER BY g.at DESC NULLS LAST, g.id DESC))[1] AS last,
       round(avg(g.value), 3) AS mean
FROM profdepot.metrics m
JOIN profdepot.gauge_samples g ON g.inst_id = :inst_id::bigint AND g.metric = m.name
WHERE m.inst_id = :inst_id::bigint AND m.family = 'gauges'
GROUP BY m.metric_no, m.name, m.title, m.unit
ORDER BY m.metric_no
