-- title: Call types
-- facts: calls
-- with: asked calls
-- params: inst_id name host user since until profile track type
-- order: total desc, type
-- column: type text "Type"
-- column: count integer count "Calls" sum
-- column: total decimal milliseconds "Total"
-- column: share decimal percent "Share"
-- column: average decimal milliseconds "Average"
-- column: max decimal milliseconds "Max"
-- column: profiles integer count "Profiles"
-- column: per_profile decimal "Calls per Profile"
-- column: errored integer count "Errored" sum
-- Share is relative to the total duration of all selected profiles. It can exceed 100 % if calls run in parallel.
-- The time for opening and closing connections is included, but these operations are not counted as calls.
SELECT c.type, count(*) FILTER (WHERE NOT c.is_connection) AS count, sum(c.duration) AS total,
       round(100 * sum(c.duration) / NULLIF((SELECT sum(a.duration) FROM asked a), 0), 1) AS share,
       round(avg(c.duration) FILTER (WHERE NOT c.is_connection), 3) AS average,
       max(c.duration) AS max, count(DISTINCT c.track_id) AS profiles,
       round(count(*) FILTER (WHERE NOT c.is_connection)::numeric
             / NULLIF(count(DISTINCT c.track_id), 0), 1) AS per_profile,
       count(*) FILTER (WHERE c.errored) AS errored
FROM calls c
GROUP BY c.type
