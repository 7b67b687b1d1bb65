-- title: Gauges over time
-- facts: gauges
-- params: inst_id metric
-- column: metric text "Metric"
-- column: at decimal "Time"
-- column: value decimal "Value" series row_unit
-- column: unit text "Unit"
-- One row per sample, on the clock of its track; --metric selects one gauge.
SELECT g.metric, g.at, g.value, m.unit
FROM profdepot.gauge_samples g
JOIN profdepot.metrics m ON m.inst_id = :inst_id::bigint AND m.metric_no = g.metric_no
WHERE g.inst_id = :inst_id::bigint AND (:metric::text IS NULL OR g.metric = :metric)
ORDER BY g.metric_no, g.at, g.id
