-- title: Marks by Name
-- facts: marks
-- with: timings
-- params: inst_id like_devtools name
-- order: count desc, name
-- column: name text "Name"
-- column: count integer count "Count" sum
-- column: first decimal milliseconds "First"
-- column: median decimal milliseconds "Median"
-- column: last decimal milliseconds "Last"
-- column: lost integer count "Lost by DevTools" sum
-- Times are milliseconds since the time origin of the page or worker.
SELECT t.name, count(*) AS count, min(t.start_time) AS first,
       percentile_disc(0.5) WITHIN GROUP (ORDER BY t.start_time) AS median,
       max(t.start_time) AS last, count(t.lost) AS lost
FROM timings t WHERE t.kind = 'mark' GROUP BY t.name
