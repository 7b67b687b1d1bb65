-- How long spans of these names took: measures, console timings, steps, calls. Instants and what
-- never ended do not count. Median and p95 are values that occur. $1 inst_id, $2 LIKE patterns.
SELECT count(*), sum(s.duration), min(s.duration), max(s.duration),
       percentile_disc(0.5) WITHIN GROUP (ORDER BY s.duration),
       percentile_disc(0.95) WITHIN GROUP (ORDER BY s.duration),
       min(m.unit), max(m.unit)
FROM profdepot.span_rows s
LEFT JOIN profdepot.tracks t ON t.inst_id = $1::bigint AND t.track_id = s.track_id
LEFT JOIN profdepot.metrics m ON m.inst_id = $1::bigint AND m.metric_no = t.metric_no
WHERE s.inst_id = $1::bigint
  AND s.kind NOT IN ('mark', 'stamp', 'measure_call')
  AND s.duration IS NOT NULL
  AND s.name COLLATE "und-x-icu" ILIKE ANY ($2::text[])
