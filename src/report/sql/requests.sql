-- title: Requests
-- facts: profiles
-- with: asked
-- params: inst_id name host user since until profile track min_duration min_count
-- order: total desc, name
-- column: name text "Name"
-- column: count integer count "Profiles" sum
-- column: min decimal milliseconds "Min"
-- column: median decimal milliseconds "Median"
-- column: p95 decimal milliseconds "P95"
-- column: max decimal milliseconds "Max"
-- column: total decimal milliseconds "Total"
-- column: worst text "Worst Id"
-- column: worst_track integer "Worst Track"
-- One row per profile name. The median is the shortest duration such that at least half of all durations are
-- shorter or equal. P95 uses 95 percent instead of half. The median and P95 are durations that occurred.
SELECT a.name, count(*) AS count, min(a.duration) AS min,
       percentile_disc(0.5) WITHIN GROUP (ORDER BY a.duration) AS median,
       percentile_disc(0.95) WITHIN GROUP (ORDER BY a.duration) AS p95,
       max(a.duration) AS max, sum(a.duration) AS total,
       (array_agg(a.source_id ORDER BY a.duration DESC NULLS LAST, a.track_id))[1] AS worst,
       (array_agg(a.track_id ORDER BY a.duration DESC NULLS LAST, a.track_id))[1] AS worst_track
FROM asked a
WHERE :min_duration::numeric IS NULL OR a.duration >= :min_duration::numeric
GROUP BY a.name
HAVING :min_count::numeric IS NULL OR count(*) >= :min_count::numeric
