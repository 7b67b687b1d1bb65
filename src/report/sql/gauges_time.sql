-- title: Gauges over time
-- facts: gauges
-- params: inst_id metric
-- column: metric text "Metric"
-- column: at decimal "Time"
-- column: value decimal "Value" series
-- One row per sample, on the clock of its track; --metric selects one gauge.
SELECT g.metric, g.at, g.value
FROM profdepot.gauge_samples g
WHERE g.inst_id = :inst_id::bigint AND (:metric::text IS NULL OR g.metric = :metric)
ORDER BY g.metric_no, g.at, g.id
