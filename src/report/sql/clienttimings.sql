-- title: Client timings
-- facts: client timings
-- with: asked
-- params: inst_id name host user since until profile track
-- column: name text "Name"
-- column: start decimal milliseconds "Start"
-- column: duration decimal milliseconds "Duration"
-- column: left decimal percent "Left"
-- column: width decimal percent "Width"
-- column: point bool "Point"
-- column: trivial bool "Trivial"
-- column: bar text "Waterfall" picture
-- The client timings of one profile in order of time. Without --profile, these are the timings of the slowest
-- profile that has any. A point has no duration. Percentages are relative to the latest end time.
-- As on MiniProfiler's page, a timing is trivial if it starts at 0 or takes less than 2 ms.
WITH told AS MATERIALIZED (
    SELECT s.id, s.track_id, s.name, s.start,
           CASE WHEN s.duration > 0 THEN s.duration ELSE 0 END AS duration,
           s.duration IS NULL OR s.duration <= 0 AS point
    FROM profdepot.span_rows s JOIN asked a ON a.track_id = s.track_id
    WHERE s.inst_id = :inst_id::bigint AND s.kind = 'client'
),
one AS (
    SELECT t.track_id, max(t.start + t.duration) AS whole
    FROM told t JOIN asked a ON a.track_id = t.track_id
    GROUP BY t.track_id, a.duration
    ORDER BY a.duration DESC NULLS LAST, t.track_id LIMIT 1
),
shares AS (
    SELECT t.*, 100 * t.start / NULLIF(o.whole, 0) AS share_before,
           100 * t.duration / NULLIF(o.whole, 0) AS share
    FROM told t JOIN one o ON o.track_id = t.track_id
)
SELECT s.name, s.start, CASE WHEN s.point THEN NULL ELSE s.duration END AS duration,
       round(s.share_before, 1) AS "left", round(s.share, 1) AS width, s.point,
       COALESCE(s.start = 0 OR (NOT s.point AND s.duration < 2), false) AS trivial,
       repeat(' ', LEAST(GREATEST(floor(s.share_before * 0.4), 0), 39)::integer)
           || CASE WHEN s.point THEN '|'
                   ELSE repeat('=', LEAST(GREATEST(round(s.share * 0.4), 1), 40)::integer) END AS bar
FROM shares s
ORDER BY s.start, s.id
