-- title: Measures by Name
-- facts: measures
-- with: timings
-- params: inst_id like_devtools name
-- order: total desc, count desc, name
-- column: name text "Name"
-- column: count integer count "Count" sum
-- column: total decimal microseconds "Total" sum
-- column: min decimal microseconds "Min"
-- column: median decimal microseconds "Median"
-- column: p95 decimal microseconds "P95"
-- column: max decimal microseconds "Max"
-- column: open integer count "Open" sum
-- column: lost integer count "Lost by DevTools" sum
-- The median is the shortest duration such that at least half of all durations are shorter or equal. P95 uses
-- 95 percent instead of half. The median and P95 are durations that occurred.
SELECT t.name, count(*) AS count, COALESCE(sum(t.length), 0) AS total, min(t.length) AS min,
       percentile_disc(0.5) WITHIN GROUP (ORDER BY t.length) AS median,
       percentile_disc(0.95) WITHIN GROUP (ORDER BY t.length) AS p95,
       max(t.length) AS max, count(*) - count(t.length) AS open, count(t.lost) AS lost
FROM timings t WHERE t.kind = 'measure' GROUP BY t.name
