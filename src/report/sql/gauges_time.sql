-- title: Gauges over time
-- facts: gauges
-- params: inst_id metric
-- column: metric text "Metric"
-- column: at decimal "Time" row_unit:time_unit
-- column: time_unit text "Time unit"
-- column: value decimal "Value" series row_unit
-- column: unit text "Unit"
-- One row per sample, on the clock of its track; --metric selects one gauge. A clock can also count instructions or
-- allocated bytes.
SELECT g.metric, g.at,
       CASE t.attributes ->> 'time_unit' WHEN 'ms' THEN 'milliseconds' WHEN 'i' THEN 'instructions' WHEN 'B' THEN 'bytes'
                                         ELSE t.attributes ->> 'time_unit' END AS time_unit,
       g.value, m.unit
FROM profdepot.gauge_samples g
JOIN profdepot.tracks t ON t.inst_id = :inst_id::bigint AND t.track_id = g.track_id
JOIN profdepot.metrics m ON m.inst_id = :inst_id::bigint AND m.metric_no = g.metric_no
WHERE g.inst_id = :inst_id::bigint AND (:metric::text IS NULL OR g.metric = :metric)
ORDER BY g.metric_no, g.at, g.id
