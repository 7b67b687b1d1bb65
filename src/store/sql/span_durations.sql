-- Durations of the measures, console timings, steps and calls whose names match one of `names`, which are LIKE
-- patterns: one row per result set that has such spans. Instants and spans without an end do not count. Median and p95
-- are durations of actual spans.
SELECT s.inst_id, count(*), sum(s.duration), min(s.duration), max(s.duration),
       percentile_disc(0.5) WITHIN GROUP (ORDER BY s.duration),
       percentile_disc(0.95) WITHIN GROUP (ORDER BY s.duration),
       min(m.unit), max(m.unit)
FROM profdepot.span_rows s
LEFT JOIN profdepot.tracks t ON t.inst_id = s.inst_id AND t.inst_id = ANY (:inst_ids::bigint[]) AND t.track_id = s.track_id
LEFT JOIN profdepot.metrics m ON m.inst_id = s.inst_id AND m.inst_id = ANY (:inst_ids::bigint[]) AND m.metric_no = t.metric_no
WHERE s.inst_id = ANY (:inst_ids::bigint[])
  AND s.kind NOT IN ('mark', 'stamp', 'measure_call')
  AND s.duration IS NOT NULL
  AND s.name COLLATE "und-x-icu" ILIKE ANY (:names::text[])
GROUP BY s.inst_id
